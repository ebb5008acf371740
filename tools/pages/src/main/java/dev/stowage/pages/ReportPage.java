package dev.stowage.pages;

import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.io.Writer;
import java.util.EnumSet;
import java.util.Optional;
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
  private FigureTable<?> index = new FigureTable<>("");
  private Optional<FiguresPage> content = Optional.empty();
  private RunFacts run = RunFacts.none();
  private int inputCount;

  /**
   * Starts a page, which declares UTF-8 as its encoding.
   *
   * @param made the participle for an input, such as {@code Planned}
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
    return Text.of("#input=%d", number);
  }

  /** {@return the address of the input that was added last} */
  public String lastAddress() {
    return address(inputCount);
  }

  public void add(PlanPicture picture) throws IOException {
    addPart(picture.title(), new PlanPage(picture));
  }

  public void add(ReplayPicture picture) throws IOException {
    addPart(picture.title() + ": " + picture.allocator(), new ReplayPage(picture));
  }

  public void add(String name, FiguresPage figures) throws IOException {
    addPart(name, figures);
  }

  private void addPart(String name, PagePart part) throws IOException {
    ReportKind kind = part.head().kind();
    inputCount++;
    kinds.add(kind);
    out.append("<template id=\"body-" + inputCount + "\" data-kind=\"" + kind)
        .append("\" data-name=\"" + MarkupText.escaped(name) + "\">\n");
    PageTemplate.of(part, out).write(kind.template());
    out.append("</template>\n<script type=\"application/json\" id=\"data-" + inputCount + "\">");
    ScriptJson.write(out, part::writeData);
    out.append("</script>\n");
  }

  /** Writes the index and the end of the page. */
  public void end(FigureTable<?> inputs, RunFacts facts) throws IOException {
    index = inputs;
    run = facts;
    template.write("report-end.html");
  }

  /** Writes an index of lines and tables, and the end of the page. */
  public void end(FiguresPage figures) throws IOException {
    content = Optional.of(figures);
    run = figures.head().run();
    template.write("report-end.html");
  }

  private void fillIn(String place) throws IOException {
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(title));
      case "made" -> out.append(made);
      case "index" -> {
        if (content.isPresent()) {
          content.get().fillIn("content", out);
        } else {
          index.write(out);
        }
      }
      case "conclusion" -> RunMarkup.writeConclusion(run, out);
      case "run" -> RunMarkup.writeFacts(run, out);
      case "script" -> PageTemplate.writeReport(kinds, out);
      default -> throw new AssertionError("a report has no part named " + place);
    }
  }
}
