package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.io.IOException;
import java.io.Writer;

/** An HTML page of plans that works without a network and other files. */
public final class PlanPage implements PagePart {

  private final PlanPicture picture;
  private final Writer out;
  private final PageTemplate template;

  private PlanPage(PlanPicture picture, Writer out) {
    this.picture = picture;
    this.out = out;
    template = new PageTemplate(out, this::fillIn);
  }

  /**
   * Writes a page, which declares UTF-8 as its encoding.
   *
   * @param picture the plans; the page shows the best first
   * @param out the output, which stays open
   * @throws IOException if {@code out} throws it
   */
  public static void write(PlanPicture picture, Writer out) throws IOException {
    new PlanPage(picture, out).template.write("page.html");
  }

  /** {@return the page as a part of a report} */
  static PagePart part(PlanPicture picture, Writer out) {
    return new PlanPage(picture, out);
  }

  @Override
  public ReportKind kind() {
    return ReportKind.PLAN;
  }

  @Override
  public void writeBody() throws IOException {
    template.write("plan.html");
  }

  @Override
  public void writeData() throws IOException {
    PageData.write(picture, out);
  }

  private void fillIn(String place) throws IOException {
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(picture.title()));
      case "subject" -> out.append("tensor memory");
      case "made" -> out.append("Planned");
      case "body" -> writeBody();
      case "options" -> writeOptions(picture.shown().bestIndex());
      case "beside" -> writeOptions(-1);
      case "rows" -> writeRows();
      case "diagnosis" ->
          RunMarkup.writeDiagnosis(picture.run(), "Why the arena is not smaller", out);
      case "run" -> RunMarkup.writeFacts(picture.run(), out);
      case "data" -> writeData();
      case "library" -> out.append(PictureText.d3());
      case "drawn" -> out.append(PageTemplate.DRAWN);
      case "script" -> template.writeExplorer("plan.js");
      default -> throw new AssertionError("the page of a plan has no part named " + place);
    }
  }

  private void writeOptions(int selected) throws IOException {
    for (int i = 0; i < picture.plans().size(); i++) {
      ShownPlan plan = picture.plans().get(i);
      out.append("<option value=\"" + i + "\"" + (i == selected ? " selected>" : ">"))
          .append(plan.strategy() + (plan.objects().isPresent() ? ", objects: " : ": "))
          .append(ByteUnit.human(plan.totalBytes()))
          .append("</option>\n");
    }
  }

  private void writeRows() throws IOException {
    long naive = picture.problem().naiveBytes();
    for (ShownPlan plan : picture.plans()) {
      long total = plan.totalBytes();
      out.append("<tr><th scope=\"row\">" + plan.strategy().name() + "</th><td>")
          .append(plan.kind() + "</td><td>")
          .append(ByteUnit.exact(total) + "</td><td>")
          .append(ByteUnit.exact(plan.boundBytes()) + "</td><td>")
          .append(MarkupText.escaped(plan.quality()) + "</td><td>")
          .append(Numbers.percent(naive - total, naive) + "</td></tr>\n");
    }
  }
}
