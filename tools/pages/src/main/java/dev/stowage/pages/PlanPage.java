package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.io.IOException;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;

/** An HTML page of plans that works without a network and other files. */
public record PlanPage(PlanPicture picture) implements PagePart {

  /** Writes a page, which declares UTF-8 as its encoding, and leaves the output open. */
  public static void write(PlanPicture picture, Writer out) throws IOException {
    PageTemplate.writePage(new PlanPage(picture), out);
  }

  @Override
  public Head head() {
    return new Head(ReportKind.PLAN, picture.title(), "tensor memory", "Planned", picture.run());
  }

  @Override
  public void writeData(JsonGenerator json) {
    PageData.write(picture, json);
  }

  @Override
  public void fillIn(String place, Writer out) throws IOException {
    switch (place) {
      case "options" -> writeOptions(picture.bestIndex(), out);
      case "beside" -> writeOptions(-1, out);
      case "rows" -> writeRows(out);
      case "diagnosis" -> RunMarkup.writeDiagnosis(picture.run(), "Figures and reasons", out);
      default -> throw new AssertionError("the page of a plan has no part named " + place);
    }
  }

  private void writeOptions(int selected, Writer out) throws IOException {
    for (int i = 0; i < picture.plans().size(); i++) {
      ShownPlan plan = picture.plans().get(i);
      out.append("<option value=\"" + i + "\"" + (i == selected ? " selected>" : ">"))
          .append(MarkupText.escaped(plan.strategy()))
          .append(plan.objects().isPresent() ? ", objects: " : ": ")
          .append(ByteUnit.human(plan.totalBytes()))
          .append("</option>\n");
    }
  }

  private void writeRows(Writer out) throws IOException {
    long naive = picture.problem().naiveBytes();
    for (ShownPlan plan : picture.plans()) {
      long total = plan.totalBytes();
      out.append("<tr><th scope=\"row\">" + MarkupText.escaped(plan.strategy()) + "</th><td>")
          .append(plan.kind() + "</td><td>")
          .append(ByteUnit.exact(total) + "</td><td>")
          .append(ByteUnit.exact(plan.boundBytes()) + "</td><td>")
          .append(MarkupText.escaped(plan.quality()) + "</td><td>")
          .append(Numbers.percent(naive - total, naive) + "</td></tr>\n");
    }
  }
}
