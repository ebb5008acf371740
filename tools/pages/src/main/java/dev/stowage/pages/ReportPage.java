package dev.stowage.pages;

import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * An HTML page with an index of several inputs, and the page of each input behind it.
 *
 * <p>The inputs are written one after the other, so that only one is in memory. The index follows.
 */
public final class ReportPage {

  /*
   * report-start.html and report-end.html are the frame. Between them, each input has its content in an inert
   * template and its data in a script element:
   *
   *   <template id="body-1" data-kind="plan" data-name="model.tflite">...</template>
   *   <script type="application/json" id="data-1">...</script>
   *
   * report.js shows the index, or the input that the fragment "#input=1" names. Without scripts, the browser shows
   * the index.
   */

  private final String title;
  private final String made;
  private final Writer out;
  private final PageTemplate template;
  private final Set<ReportKind> kinds = EnumSet.noneOf(ReportKind.class);
  private FigureTable index = new FigureTable("", List.of());
  private RunFacts run = RunFacts.none();
  private int inputCount;

  /**
   * Starts a page, which declares UTF-8 as its encoding.
   *
   * @param title the title
   * @param made the participle for an input, such as {@code Planned}
   * @param out the output, which stays open
   * @throws IOException if {@code out} throws it
   */
  public ReportPage(String title, String made, Writer out) throws IOException {
    this.title = title;
    this.made = made;
    this.out = out;
    template = new PageTemplate(out, this::fillIn);
    template.write("report-start.html");
  }

  /** {@return the address of an input in the index, counted from 1} */
  static String address(int number) {
    return String.format(Locale.ROOT, "#input=%d", number);
  }

  /** {@return the address of the input that was added last} */
  public String lastAddress() {
    return address(inputCount);
  }

  /**
   * Adds plans.
   *
   * @param picture the plans of an input
   * @throws IOException if the output throws it
   */
  public void add(PlanPicture picture) throws IOException {
    add(picture.title(), PlanPage.part(picture, out));
  }

  /**
   * Adds layouts.
   *
   * @param name the name of the input
   * @param picture the layouts of the input
   * @throws IOException if the output throws it
   */
  public void add(String name, ShapesPicture picture) throws IOException {
    add(name, ShapesPage.part(picture, out));
  }

  /**
   * Adds a replay.
   *
   * @param picture the replay of a trace
   * @throws IOException if the output throws it
   */
  public void add(ReplayPicture picture) throws IOException {
    add(picture.title() + ": " + picture.allocator(), ReplayPage.part(picture, out));
  }

  /**
   * Adds figures.
   *
   * @param name the name of the input
   * @param figures the page of the input
   * @throws IOException if the output throws it
   */
  public void add(String name, FiguresPage figures) throws IOException {
    add(name, figures.part(out));
  }

  private void add(String name, PagePart part) throws IOException {
    inputCount++;
    kinds.add(part.kind());
    out.append("<template id=\"body-" + inputCount + "\" data-kind=\"" + part.kind())
        .append("\" data-name=\"" + MarkupText.escaped(name) + "\">\n");
    part.writeBody();
    out.append("</template>\n<script type=\"application/json\" id=\"data-" + inputCount + "\">");
    part.writeData();
    out.append("</script>\n");
  }

  /**
   * Writes the index and the end of the page.
   *
   * @param inputs the index
   * @param facts the run of the command
   * @throws IOException if the output throws it
   */
  public void end(FigureTable inputs, RunFacts facts) throws IOException {
    index = inputs;
    run = facts;
    template.write("report-end.html");
  }

  private void fillIn(String place) throws IOException {
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(title));
      case "made" -> out.append(made);
      case "index" -> index.write(out);
      case "run" -> RunMarkup.writeFacts(run, out);
      case "library" -> out.append(PictureText.d3());
      case "drawn" -> out.append(PageTemplate.DRAWN);
      case "script" -> template.writeReport(kinds);
      default -> throw new AssertionError("a report has no part named " + place);
    }
  }
}
