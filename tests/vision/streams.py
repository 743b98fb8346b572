"""Builders for tests of sources: tiny videos whose frames say their number, and servers that stream and fail."""

import contextlib
import io
import socket
import socketserver
import threading
import time
from fractions import Fraction
from functools import cache

import av
import cv2
import numpy as np

SIZE_WH = (320, 240)
FPS = 25


@cache
def backdrop():
    rough = np.random.default_rng(0).integers(0, 255, (SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
    return cv2.normalize(cv2.GaussianBlur(rough, (0, 0), 4), None, 30, 220, cv2.NORM_MINMAX)


def make_picture(number):
    """A picture that says its number in sixteen black and white squares."""
    picture = backdrop().copy()
    for bit in range(16):
        picture[:20, bit * 20 : bit * 20 + 20] = 235 if number >> bit & 1 else 16
    return picture


def number_in(picture):
    return sum(1 << bit for bit in range(16) if picture[5:15, bit * 20 + 5 : bit * 20 + 15].mean() > 128)


def make_video(stamps, *, format="matroska", pictures=None, key_every=25, more=None, **container_options):
    """The bytes of an H.264 video with frames at these milliseconds; `more` are options of its coder."""
    file = io.BytesIO()
    options = {"preset": "ultrafast", "tune": "zerolatency", "sc_threshold": "0"} | (more or {})
    time_base = Fraction(1, 1000)
    with av.open(file, "w", format=format, container_options=container_options) as container:
        stream = container.add_stream("libx264", rate=FPS, options=options)
        stream.width, stream.height, stream.pix_fmt = *SIZE_WH, "yuv420p"
        stream.time_base = stream.codec_context.time_base = time_base
        stream.codec_context.gop_size = key_every
        for number, stamp in enumerate(stamps):
            picture = make_picture(number) if pictures is None else pictures[number]
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = stamp, time_base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return file.getvalue()


@cache
def access_units(frames):
    """The frames of a video as the coder gives them, each with an access unit delimiter in front."""
    codec = av.CodecContext.create("libx264", "w")
    codec.width, codec.height, codec.pix_fmt = *SIZE_WH, "yuv420p"
    codec.time_base, codec.framerate, codec.gop_size = Fraction(1, FPS), Fraction(FPS), FPS
    codec.options = {
        "preset": "ultrafast",
        "tune": "zerolatency",
        "sc_threshold": "0",
        "x264-params": "aud=1:slices=1:sliced-threads=0",
    }
    codec.thread_count, units = 1, []
    for number in range(frames):
        frame = av.VideoFrame.from_ndarray(make_picture(number), format="bgr24")
        frame.pts = number
        units += [bytes(packet) for packet in codec.encode(frame)]
    return units + [bytes(packet) for packet in codec.encode(None)]


class HttpCamera:
    """A camera at http://127.0.0.1:port/ that streams JPEG pictures, and does what it is told.

    `mode`: play; hang, send nothing more; refuse, close new connections; freeze, send the same picture; garbage.
    """

    def __init__(self, mode="play", fps=FPS):
        self.mode, self.fps, self.number, self.connections = mode, fps, 0, 0
        self._stop = threading.Event()
        self._server = _Server(("127.0.0.1", 0), self._serve)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/camera"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()

    def _serve(self, connection, *_):
        self.connections += 1
        if self.mode == "refuse":
            connection.close()
            return
        with contextlib.suppress(OSError):
            connection.recv(65536)
            head = b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=cut\r\n\r\n"
            connection.sendall(head if self.mode != "hang" else b"")
            while not self._stop.wait(1 / self.fps):
                if self.mode in ("cut", "refuse"):
                    return
                if self.mode != "hang":
                    self._send_picture(connection)

    def _send_picture(self, connection):
        self.number += self.mode != "freeze"
        content = cv2.imencode(".jpg", make_picture(self.number), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        if self.mode == "garbage":
            content = np.random.default_rng(self.number).bytes(len(content))
        head = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(content)}\r\n\r\n"
        connection.sendall(head.encode() + content + b"\r\n")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


class Proxy:
    """A line to 127.0.0.1:`port` that can be cut in mid-frame, held, or filled with garbage."""

    def __init__(self, port):
        self._to = ("127.0.0.1", port)
        self._pairs = []
        self.is_held, self.garbage, self.is_open = False, b"", True
        self._server = _Server(("127.0.0.1", 0), self._serve)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self.port = self._server.server_address[1]

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.cut()
        self._server.shutdown()
        self._thread.join(5)
        self._server.server_close()

    def cut(self):
        """Reset every connection at once, wherever it is in a frame."""
        self.is_open = False
        for pair in self._pairs:
            for end in pair:
                with contextlib.suppress(OSError):
                    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                    end.shutdown(socket.SHUT_RDWR)
        self._pairs.clear()

    def mend(self):
        self.is_open, self.is_held = True, False

    def _serve(self, client, *_):
        if not self.is_open:
            return
        try:
            server = socket.create_connection(self._to, 2)
        except OSError:
            return
        server.settimeout(None)
        pair = (client, server)
        self._pairs.append(pair)
        back = threading.Thread(target=self._forward, args=(client, server, False), daemon=True)
        back.start()
        self._forward(server, client, True)
        back.join(5)
        server.close()

    def _forward(self, giver, taker, is_down):
        with contextlib.suppress(OSError):
            while piece := giver.recv(1000):  # pieces smaller than a frame: a cut falls inside one
                while self.is_held:
                    time.sleep(0.02)
                if is_down and self.garbage:
                    piece, self.garbage = self.garbage + piece, b""
                taker.sendall(piece)
        for end in (giver, taker):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
