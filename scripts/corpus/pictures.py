"""Pictures in every mode that office files and agents leave, and small ones to embed."""

import io

from PIL import Image, ImageDraw

from corpus import Generator


def picture(text: str, mode: str = "RGB", size: tuple[int, int] = (240, 120)) -> Image.Image:
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 10, size[0] - 10, size[1] - 10), outline="navy", width=4)
    draw.text((30, 40), text, fill="black")
    return image.convert(mode)


def encoded(image: Image.Image, kind: str, **options) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def png_bytes(text: str) -> io.BytesIO:
    return io.BytesIO(encoded(picture(text), "PNG"))


def main() -> None:
    corpus = Generator("pictures", "Pillow")
    samples = {
        "plain.png": encoded(picture("plain"), "PNG"),
        "palette.png": encoded(picture("palette", "P"), "PNG"),
        "grey-alpha.png": encoded(picture("alpha", "LA"), "PNG"),
        "sixteen-bit.png": encoded(Image.new("I;16", (120, 60), 30_000), "PNG"),
        "one-bit.png": encoded(picture("bits", "1"), "PNG"),
        "photo.jpg": encoded(picture("photo"), "JPEG"),
        "cmyk.jpg": encoded(picture("cmyk", "CMYK"), "JPEG"),
        "progressive.jpeg": encoded(picture("steps"), "JPEG", progressive=True),
        "picture.webp": encoded(picture("webp"), "WEBP"),
        "still.gif": encoded(picture("gif", "P"), "GIF"),
    }
    for name, content in samples.items():
        file = corpus.new(name)
        file.holds(pages=1, widthPixels=120 if "sixteen" in name else 240)
        file.save_bytes(content)
    exif = Image.Exif()
    exif[0x0112] = 6
    file = corpus.new("turned.jpg")
    file.save_bytes(encoded(picture("turned"), "JPEG", exif=exif.tobytes()))
    file.holds(pages=1)
    frames = [picture(f"frame {number}", "P") for number in range(3)]
    file = corpus.new("moving.gif")
    file.save_bytes(encoded(frames[0], "GIF", save_all=True, append_images=frames[1:]))
    file.holds(pages=3, frames=3)
    file = corpus.new("one-pixel.png")
    file.save_bytes(encoded(Image.new("RGB", (1, 1)), "PNG"))
    file.holds(pages=1)
    file = corpus.new("图片 名称.png")
    file.save_bytes(encoded(picture("name"), "PNG"))
    file.holds(pages=1)
    corpus.finish()


if __name__ == "__main__":
    main()
