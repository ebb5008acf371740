package dev.stowage.pages;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts.Fact;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An HTML page of a replay: a map of addresses over events. */
public final class ReplayPage {

  private ReplayPage() {}

  /** Writes a page, which declares UTF-8 as its encoding, and leaves the output open. */
  public static void write(ReplayPicture picture, Writer out) throws IOException {
    of(picture).write(out);
  }

  static Page of(ReplayPicture picture) {
    return Page.of(
        Page.Kind.REPLAY,
        picture.title(),
        "replay",
        "Replayed",
        picture.run(),
        Map.of(
            "summary",
            MarkupText.escaped(summary(picture)),
            "figures",
            RunMarkup.figures(figures(picture)),
            "notes",
            String.join(" ", notes(picture)),
            "diagnosis",
            RunMarkup.diagnosis(picture.run(), "Why requests fail")),
        () -> ReplayData.of(picture.history()));
  }

  private static String summary(ReplayPicture picture) {
    ReplayHistory.Events events = picture.history().events();
    // Without events, the page shows the memory of one moment.
    return events.count() == 0 && events.olderCount() > 0
        ? "The memory of " + picture.allocator()
        : Text.of(
            "%s and %s, replayed with %s",
            Numbers.count(picture.allocations(), "allocation"),
            Numbers.count(picture.result().frees(), "free"),
            picture.allocator());
  }

  private static List<Fact> figures(ReplayPicture picture) {
    ReplayResult result = picture.result();
    return List.of(
        new Fact("Peak requested", ByteUnit.sentence(result.peakRequestedBytes())),
        new Fact("Peak in use", ByteUnit.sentence(result.peakInUseBytes())),
        new Fact("Peak reserved", ByteUnit.sentence(result.peakReservedBytes())),
        new Fact(
            "Reserved at the end",
            ByteUnit.human(result.reservedBytes())
                + " in "
                + Numbers.count(result.regionBytes().size(), "region")),
        new Fact(
            "Fragmentation at the peak",
            "external "
                + Numbers.percent(result.externalFragmentation())
                + ", internal "
                + Numbers.percent(result.internalFragmentation())),
        new Fact(
            "Failed",
            Numbers.count(result.failures(), "request")
                + " of "
                + Numbers.grouped(picture.allocations())));
  }

  /** {@return sentences on the parts of a long history that the page does not show} */
  private static List<String> notes(ReplayPicture picture) {
    ReplayHistory history = picture.history();
    List<String> notes = new ArrayList<>();
    if (history.drawn().skippedCount() > 0) {
      notes.add(
          Text.of(
              "The map shows %s: all that are live at the peak, and those with the largest areas"
                  + " (bytes × events). It leaves out %s smaller ones.",
              Numbers.count(history.drawn().chunks().size(), "chunk"),
              Numbers.grouped(history.drawn().skippedCount())));
    }
    if (picture.result().failures() > history.failures().size()) {
      notes.add(
          Text.of(
              "The map marks the first %s failed requests.",
              Numbers.grouped(history.failures().size())));
    }
    long group = history.parts().groupEvents();
    if (group > 1) {
      notes.add(
          Text.of(
              "The parts of the reserved memory are those of the event with the most reserved bytes of"
                  + " each %s events.",
              Numbers.grouped(group)));
    }
    return notes;
  }
}
