package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/** An HTML page of plans: a map of offsets over tasks. */
public final class PlanPage {

  private PlanPage() {}

  /** Writes a page, which declares UTF-8 as its encoding, and leaves the output open. */
  public static void write(PlanPicture picture, Writer out) throws IOException {
    of(picture).write(out);
  }

  static Page of(PlanPicture picture) {
    return Page.of(
        Page.Kind.PLAN,
        picture.title(),
        "tensor memory",
        "Planned",
        picture.run(),
        Map.of(
            "options",
            options(picture),
            "diagnosis",
            RunMarkup.diagnosis(picture.run(), "Figures and reasons")),
        () -> PlanData.of(picture));
  }

  private static String options(PlanPicture picture) {
    StringBuilder options = new StringBuilder();
    for (int i = 0; i < picture.plans().size(); i++) {
      ShownPlan plan = picture.plans().get(i);
      options
          .append("<option value=\"" + i + "\"" + (i == picture.bestIndex() ? " selected>" : ">"))
          .append(MarkupText.escaped(plan.strategy()))
          .append(plan.objects().isPresent() ? ", objects: " : ": ")
          .append(ByteUnit.human(plan.totalBytes()))
          .append("</option>\n");
    }
    return options.toString();
  }
}
