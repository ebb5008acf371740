package dev.stowage.pages;

import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A browser that shows pictures. */
final class PageBrowser extends Browser {

  /** Writes the page of plans into a folder and opens it. */
  void open(PlanPicture picture, Path folder) throws IOException {
    Path page = folder.resolve("plan.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      PlanPage.write(picture, out);
    }
    open(page);
  }

  /** Writes the page of a replay into a folder and opens it. */
  void open(ReplayPicture picture, Path folder) throws IOException {
    Path page = folder.resolve("replay.html");
    try (Writer out = Files.newBufferedWriter(page)) {
      ReplayPage.write(picture, out);
    }
    open(page);
  }
}
