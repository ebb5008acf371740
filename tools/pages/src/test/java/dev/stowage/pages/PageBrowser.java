package dev.stowage.pages;

import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A browser that shows pictures. */
final class PageBrowser extends Browser {

  /** Writes the page of a picture into a folder and opens it. */
  void open(PagePart picture, Path folder) throws IOException {
    open(write(picture, folder.resolve("page.html")));
  }

  /** Writes the page of a picture. */
  static Path write(PagePart picture, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      write(picture, out);
    }
    return file;
  }

  static void write(PagePart picture, Writer out) throws IOException {
    Page page = new Page("t");
    page.add(picture);
    page.write(out);
  }

  static String text(PagePart picture) throws IOException {
    StringWriter out = new StringWriter();
    write(picture, out);
    return out.toString();
  }
}
