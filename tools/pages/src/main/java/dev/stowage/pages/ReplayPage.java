package dev.stowage.pages;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** An HTML page of a replay that works without a network and other files. */
public record ReplayPage(ReplayPicture picture) implements PagePart {

  /** Writes a page, which declares UTF-8 as its encoding, and leaves the output open. */
  public static void write(ReplayPicture picture, Writer out) throws IOException {
    PageTemplate.writePage(new ReplayPage(picture), out);
  }

  @Override
  public Head head() {
    return new Head(ReportKind.REPLAY, picture.title(), "replay", "Replayed", picture.run());
  }

  @Override
  public void writeData(JsonGenerator json) {
    ReplayData.write(picture.history(), json);
  }

  @Override
  public void fillIn(String place, Writer out) throws IOException {
    if (place.equals("diagnosis")) {
      RunMarkup.writeDiagnosis(picture.run(), "Why requests fail", out);
    } else {
      out.append(MarkupText.escaped(text(place)));
    }
  }

  private String text(String place) {
    ReplayResult result = picture.result();
    return switch (place) {
      case "summary" -> summary();
      case "requested" -> ByteUnit.human(result.peakRequestedBytes());
      case "requested.exact" -> Numbers.count(result.peakRequestedBytes(), "byte");
      case "inuse" -> ByteUnit.human(result.peakInUseBytes());
      case "inuse.exact" -> Numbers.count(result.peakInUseBytes(), "byte");
      case "inuse.over" -> overRequested(result.peakInUseBytes());
      case "reserved" -> ByteUnit.human(result.peakReservedBytes());
      case "reserved.exact" -> Numbers.count(result.peakReservedBytes(), "byte");
      case "reserved.over" -> overRequested(result.peakReservedBytes());
      case "held" -> ByteUnit.human(result.reservedBytes());
      case "held.regions" -> "in " + Numbers.count(result.regionBytes().size(), "region");
      case "external" -> Numbers.percent(result.externalFragmentation());
      case "internal" -> Numbers.percent(result.internalFragmentation());
      case "failures" -> Numbers.count(result.failures(), "request");
      case "failures.of" -> "of " + Numbers.grouped(picture.allocations());
      case "notes" -> notes();
      default -> throw new AssertionError("the page of a replay has no part named " + place);
    };
  }

  private String summary() {
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

  private String overRequested(long bytes) {
    long requested = picture.result().peakRequestedBytes();
    return requested == 0 ? "" : Numbers.percent(bytes - requested, requested) + " over requested";
  }

  /** {@return sentences on the parts of a long history that the page does not show} */
  private String notes() {
    ReplayHistory history = picture.history();
    StringBuilder notes = new StringBuilder();
    if (history.drawn().skippedCount() > 0) {
      notes.append(
          Text.of(
              "The map shows %s: all that are live at the peak, the largest ones, and those with the"
                  + " largest areas (bytes × events). It leaves out %s smaller ones. ",
              Numbers.count(history.drawn().chunks().size(), "chunk"),
              Numbers.grouped(history.drawn().skippedCount())));
    }
    if (picture.result().failures() > history.failures().size()) {
      notes.append(
          Text.of(
              "The map marks the first %s failed requests. ",
              Numbers.grouped(history.failures().size())));
    }
    long group = history.curves().groupEvents();
    if (group > 1) {
      notes.append(
          Text.of("Curves show the range of values of each %s events. ", Numbers.grouped(group)));
    }
    long partGroup = history.parts().groupEvents();
    if (partGroup > 1) {
      notes.append(
          Text.of(
              "The parts of the reserved memory are those of the event with the most reserved bytes of"
                  + " each %s events.",
              Numbers.grouped(partGroup)));
    }
    return notes.toString().strip();
  }
}
