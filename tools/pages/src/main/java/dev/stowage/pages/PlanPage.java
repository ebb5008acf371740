package dev.stowage.pages;

import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
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

  static Page of(PlanPicture picture) throws IOException {
    String body =
        Page.filled(
            PictureText.of("plan.html"),
            Map.of(
                "title",
                MarkupText.escaped(picture.title()),
                "options",
                options(picture, picture.bestIndex()),
                "beside",
                options(picture, -1),
                "conclusion",
                RunMarkup.conclusion(picture.run()),
                "explorer",
                PictureText.of("explorer.html"),
                "diagnosis",
                RunMarkup.diagnosis(picture.run(), "Figures and reasons"),
                "run",
                RunMarkup.facts(picture.run()),
                "strategies",
                strategies(picture).markup()));
    return new Page(
        Page.Kind.PLAN,
        picture.title(),
        "tensor memory",
        "Planned",
        body,
        () -> PlanData.of(picture));
  }

  private static String options(PlanPicture picture, int selected) {
    StringBuilder options = new StringBuilder();
    for (int i = 0; i < picture.plans().size(); i++) {
      ShownPlan plan = picture.plans().get(i);
      options
          .append("<option value=\"" + i + "\"" + (i == selected ? " selected>" : ">"))
          .append(MarkupText.escaped(plan.strategy()))
          .append(plan.objects().isPresent() ? ", objects: " : ": ")
          .append(ByteUnit.human(plan.totalBytes()))
          .append("</option>\n");
    }
    return options.toString();
  }

  private static FigureTable<ShownPlan> strategies(PlanPicture picture) {
    long naive = picture.problem().naiveBytes();
    return new FigureTable<ShownPlan>("Strategies")
        .text("Strategy", ShownPlan::strategy)
        .text("Planned as", ShownPlan::kind)
        .bytes("Total", ShownPlan::totalBytes)
        .bytes("Lower bound", ShownPlan::boundBytes)
        .number("Above the lower bound", plan -> Cell.share(plan.quality(), plan.aboveBound()))
        .number(
            "Saved by sharing",
            plan -> {
              long saved = naive - plan.totalBytes();
              double share = naive == 0 ? 0 : (double) saved / naive;
              return Cell.share(Numbers.percent(saved, naive), share);
            })
        .addAll(picture.plans());
  }
}
