"""What pictures are made of: surfaces, light, warped art with exact visibility, and what a sensor does."""
