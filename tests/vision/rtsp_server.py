"""An RTSP server for tests, run by the system's own Python: `rtsp_server.py PORT UNITS FPS [USER PASSWORD]`.

Streams a file of H.264 access units, each behind its length in four bytes, over and over at rtsp://127.0.0.1:PORT/table
as a live camera would: stamps go on, and whoever connects comes in wherever it is. Says "ready" once it listens.
"""

import struct
import sys
from pathlib import Path

PIPELINE = (
    "( appsrc name=camera is-live=true format=time do-timestamp=false "
    "caps=video/x-h264,stream-format=byte-stream,alignment=au,framerate={fps}/1 "
    "! h264parse ! rtph264pay name=pay0 pt=96 )"
)


def read_units(path):
    content, units, at = Path(path).read_bytes(), [], 0
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        units.append(content[at + 4 : at + 4 + length])
        at += 4 + length
    return units


def main(port, path, fps, user=None, password=None):
    import gi

    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
    from gi.repository import GLib, Gst, GstRtspServer

    Gst.init(None)
    units, interval = read_units(path), Gst.SECOND // int(fps)
    camera = {"source": None, "number": 0}

    def push():
        source = camera["source"]
        if source is not None:
            number = camera["number"]
            buffer = Gst.Buffer.new_wrapped(units[number % len(units)])
            buffer.pts = buffer.dts = number * interval
            buffer.duration = interval
            if source.emit("push-buffer", buffer) != Gst.FlowReturn.OK:
                camera["source"] = None
            camera["number"] = number + 1
        return True

    def configure(_, media):
        camera.update(source=media.get_element().get_by_name("camera"), number=0)

    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(PIPELINE.format(fps=fps))
    factory.set_shared(True)
    factory.set_latency(0)
    factory.connect("media-configure", configure)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    if user is not None:
        demand_password(GstRtspServer, server, factory, user, password)
    server.get_mount_points().add_factory("/table", factory)
    if not server.attach(None):
        sys.exit("cannot listen")
    GLib.timeout_add(1000 // int(fps), push)
    print("ready", flush=True)
    GLib.MainLoop().run()


def demand_password(rtsp, server, factory, user, password):
    token = rtsp.RTSPToken()
    token.set_string(rtsp.RTSP_TOKEN_MEDIA_FACTORY_ROLE, "viewer")
    auth = rtsp.RTSPAuth()
    auth.add_basic(rtsp.RTSPAuth.make_basic(user, password), token)
    server.set_auth(auth)
    permissions = rtsp.RTSPPermissions()
    permissions.add_permission_for_role("viewer", rtsp.RTSP_PERM_MEDIA_FACTORY_ACCESS, True)
    permissions.add_permission_for_role("viewer", rtsp.RTSP_PERM_MEDIA_FACTORY_CONSTRUCT, True)
    factory.set_permissions(permissions)


if __name__ == "__main__":
    main(*sys.argv[1:])
