package dev.stowage.pages;

import java.io.IOException;
import java.io.Writer;

/**
 * An HTML page with an index of several inputs, and the page of each input behind it.
 *
 * <p>The inputs are written one after the other, so that only one is in memory. The index follows.
 */
public final class ReportPage {

  /*
   * Each input has its content in an inert template and its data in a script element:
   *
   *   <template id="body-1" data-kind="PLAN" data-name="model.tflite">...</template>
   *   <script type="text/plain" id="data-1">...</script>
   *
   * start.js shows the index, or the input that the fragment "#input=1" names. Without scripts, the browser shows
   * the index.
   */

  private final String made;
  private final Writer out;
  private int inputCount;

  /**
   * Starts a page, which declares UTF-8 as its encoding.
   *
   * @param made the participle for an input, such as {@code Planned}
   */
  public ReportPage(String title, String made, Writer out) throws IOException {
    this.made = made;
    this.out = out;
    Page.writeStart(title, "INDEX", out);
  }

  /** {@return the address of the input that was added last} */
  public String lastAddress() {
    return "#input=" + inputCount;
  }

  public void add(PlanPicture picture) throws IOException {
    add(picture.title(), PlanPage.of(picture));
  }

  public void add(ReplayPicture picture) throws IOException {
    add(picture.title() + ": " + picture.allocator(), ReplayPage.of(picture));
  }

  public void add(String name, FiguresPage figures) throws IOException {
    add(name, figures.page());
  }

  private void add(String name, Page page) throws IOException {
    inputCount++;
    out.append("<template id=\"body-" + inputCount + "\" data-kind=\"" + page.kind())
        .append("\" data-name=\"" + MarkupText.escaped(name) + "\">\n" + page.body())
        .append("</template>\n");
    page.writeData("data-" + inputCount, out);
  }

  /** Writes an index of lines and tables, and the end of the page. */
  public void end(FiguresPage index) throws IOException {
    out.append("<div id=\"index\" class=\"page\">\n")
        .append(
            "<noscript><p class=\"note\">This browser does not run scripts, which show the page")
        .append(" of each input. The table has their figures.</p></noscript>\n")
        .append(index.page().body())
        .append("</div>\n<div id=\"input\" class=\"page\" hidden></div>\n");
    Page.writeEnd(made, true, out);
  }
}
