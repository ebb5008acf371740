package dev.stowage.pages;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import java.util.Map;

/** A map of a replay on a page: addresses over events. */
public record ReplayMap(ReplayHistory history) implements PagePart {

  @Override
  public String markup() {
    return PictureText.filled(
        "replay.html",
        Map.of(
            "notes", notes(),
            "explorer", PictureText.filled("explorer.html", Map.of()),
            "data", ReplayData.of(history).script("REPLAY")));
  }

  @Override
  public boolean isMap() {
    return true;
  }

  /** {@return sentences on the parts of a long history that the map does not show} */
  private String notes() {
    long skippedCount = history.drawn().skippedCount();
    long group = history.parts().groupEvents();
    String skipped =
        Text.of(
            "The map shows %s: all that are live at the peak, and those with the largest areas"
                + " (bytes × events). It leaves out %s smaller ones. ",
            Numbers.count(history.drawn().chunks().size(), "chunk"), Numbers.grouped(skippedCount));
    String grouped =
        Text.of(
            "The parts of the reserved memory are those of the event with the most reserved bytes of"
                + " each %s events.",
            Numbers.grouped(group));
    return ((skippedCount > 0 ? skipped : "") + (group > 1 ? grouped : "")).strip();
  }
}
