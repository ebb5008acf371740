package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The map of plans on a page: offsets over tasks. */
public record PlanMap(PlanPicture picture) implements PagePart {

  @Override
  public String markup() {
    String choice =
        IntStream.range(0, picture.plans().size())
            .mapToObj(this::option)
            .collect(
                Collectors.joining(
                    "",
                    "<label>Strategy <select id=\"strategy\" autocomplete=\"off\">\n",
                    "</select></label>\n"));
    return PictureText.filled(
        "plan.html",
        Map.of(
            "explorer", PictureText.filled("explorer.html", Map.of("choice", choice)),
            "data", PlanData.of(picture).script("PLAN")));
  }

  @Override
  public boolean isMap() {
    return true;
  }

  private String option(int index) {
    ShownPlan plan = picture.plans().get(index);
    return Text.of(
        "<option value=\"%d\"%s>%s%s %s</option>\n",
        index,
        index == picture.bestIndex() ? " selected" : "",
        MarkupText.escaped(plan.strategy()),
        plan.objects().isPresent() ? ", objects:" : ":",
        ByteUnit.human(plan.totalBytes()));
  }
}
