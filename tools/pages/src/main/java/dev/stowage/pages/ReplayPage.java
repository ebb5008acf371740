package dev.stowage.pages;

import dev.stowage.pages.history.ReplayHistory;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.replay.ReplayResult;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;

/** An HTML page of a replay that works without a network and other files. */
public final class ReplayPage implements PagePart {

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
   * Writes a page, which declares UTF-8 as its encoding.
   *
   * @param picture the replay
   * @param out the output, which stays open
   * @throws IOException if {@code out} throws it
   */
  public static void write(ReplayPicture picture, Writer out) throws IOException {
    new ReplayPage(picture, out).template.write("page.html");
  }

  /** {@return the page as a part of a report} */
  static PagePart part(ReplayPicture picture, Writer out) {
    return new ReplayPage(picture, out);
  }

  @Override
  public ReportKind kind() {
    return ReportKind.REPLAY;
  }

  @Override
  public void writeBody() throws IOException {
    template.write("replay.html");
  }

  @Override
  public void writeData() throws IOException {
    ReplayData.write(history, out);
  }

  private void fillIn(String place) throws IOException {
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(picture.title()));
      case "subject" -> out.append("replay");
      case "made" -> out.append("Replayed");
      case "body" -> writeBody();
      case "diagnosis" -> RunMarkup.writeDiagnosis(picture.run(), "Why requests fail", out);
      case "run" -> RunMarkup.writeFacts(picture.run(), out);
      case "data" -> writeData();
      case "library" -> out.append(PictureText.d3());
      case "drawn" -> out.append(PageTemplate.DRAWN);
      case "script" -> template.writeExplorer("flame.js", "replay.js");
      default -> out.append(MarkupText.escaped(text(place)));
    }
  }

  private String text(String place) {
    return switch (place) {
      case "summary" ->
          String.format(
              Locale.ROOT,
              "%s and %s, replayed with %s",
              Numbers.count(picture.allocations(), "allocation"),
              Numbers.count(result.frees(), "free"),
              picture.allocator());
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

  private String overRequested(long bytes) {
    long requested = result.peakRequestedBytes();
    return requested == 0 ? "" : Numbers.percent(bytes - requested, requested) + " over requested";
  }

  /** {@return sentences on the parts of a long history that the page does not show} */
  private String notes() {
    StringBuilder notes = new StringBuilder();
    if (history.drawn().skippedCount() > 0) {
      notes.append(
          String.format(
              Locale.ROOT,
              "The map shows %s: all that are live at the peak, the largest ones, and those with the"
                  + " largest areas (bytes × events). It leaves out %s smaller ones. ",
              Numbers.count(history.drawn().chunks().size(), "chunk"),
              Numbers.grouped(history.drawn().skippedCount())));
    }
    if (result.failures() > history.failures().size()) {
      notes.append(
          String.format(
              Locale.ROOT,
              "The map marks the first %s failed requests. ",
              Numbers.grouped(history.failures().size())));
    }
    long group = history.curves().groupEvents();
    if (group > 1) {
      notes.append(
          String.format(
              Locale.ROOT,
              "Curves show the range of values of each %s events.",
              Numbers.grouped(group)));
    }
    return notes.toString().strip();
  }
}
