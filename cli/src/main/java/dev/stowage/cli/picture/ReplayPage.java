package dev.stowage.cli.picture;

import dev.stowage.cli.replay.ReplayHistory;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.core.trace.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** A replay as one HTML page that needs nothing else: no network, no other file. */
public final class ReplayPage {

  /*
   *   replay.html       what is around the map
   *   replay.js         the data as columns
   *   replay-chart.js   axes and curves, regions and failures on the map
   *   replay-page.js    what hovering tells
   */

  private final ReplayPicture picture;
  private final ReplayResult result;
  private final ReplayHistory history;
  private final Writer out;
  private final PageTemplate template;

  private ReplayPage(ReplayPicture picture, Writer out) {
    this.picture = picture;
    this.out = out;
    result = picture.result();
    history = picture.history();
    template = new PageTemplate(out, this::fillIn);
  }

  /**
   * Writes a page that says UTF-8 of itself.
   *
   * @param picture what it shows
   * @param out where it goes; stays open
   * @throws IOException if {@code out} throws it
   */
  public static void write(ReplayPicture picture, Writer out) throws IOException {
    new ReplayPage(picture, out).template.write("page.html");
  }

  private void fillIn(String place) throws IOException {
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(picture.title()));
      case "subject" -> out.append("replay");
      case "made" -> out.append("Replayed");
      case "body" -> template.write("replay.html");
      case "data" -> ReplayData.write(history, out);
      case "script" -> {
        out.append(PictureText.of("replay.js"));
        out.append(PictureText.of("replay-chart.js"));
        out.append(PictureText.of("replay-page.js"));
      }
      default -> out.append(MarkupText.escaped(text(place)));
    }
  }

  private String text(String place) {
    return switch (place) {
      case "summary" ->
          String.format(
              Locale.ROOT,
              "%s and %s, answered by a BFC allocator with %s",
              Numbers.count(result.allocations(), "allocation"),
              Numbers.count(result.frees(), "free"),
              picture.options().isEmpty() ? "its defaults" : picture.options());
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
      case "failures.of" -> "of " + Numbers.grouped(result.allocations());
      case "peak" -> "event " + Numbers.grouped(history.peakEvent());
      case "notes" -> notes();
      default -> throw new AssertionError("a replay's page has nothing to fill in at " + place);
    };
  }

  private String overRequested(long bytes) {
    long requested = result.peakRequestedBytes();
    return requested == 0 ? "" : Numbers.percent(bytes - requested, requested) + " over requested";
  }

  /** {@return what the page does not show of a history that is too long for all} */
  private String notes() {
    StringBuilder notes = new StringBuilder();
    if (history.leftOutChunks() > 0) {
      notes.append(
          String.format(
              Locale.ROOT,
              "Drawn are the %s of the most bytes × events; the other %s make up %s. ",
              Numbers.count(history.chunks().size(), "chunk"),
              Numbers.grouped(history.leftOutChunks()),
              Numbers.percent(history.leftOutShare())));
    }
    if (result.failures() > history.failures().size()) {
      notes.append(
          String.format(
              Locale.ROOT,
              "Of the failed requests the first %s are marked. ",
              Numbers.grouped(history.failures().size())));
    }
    long group =
        Math.max(
            Math.max(history.reservedBytes().groupEvents(), history.bytesInUse().groupEvents()),
            Math.max(
                history.requestedBytes().groupEvents(), history.fragmentation().groupEvents()));
    if (group > 1) {
      notes.append(
          String.format(
              Locale.ROOT,
              "Curves show the largest value of each %s events.",
              Numbers.grouped(group)));
    }
    return notes.toString().strip();
  }
}
