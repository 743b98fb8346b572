"""Where frames come from: video files, folders of images, recordings and live cameras, behind one door, `open`."""
