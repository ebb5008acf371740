package dev.stowage.cli.report;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.diff.ModelDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.report.ChangeTables.Row;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import java.util.List;

/** The models in which two releases differ. */
public final class ReleaseDiffAnswer {

  private final ReleaseDiff diff;
  private final Answer answer = new Answer();

  private ReleaseDiffAnswer(ReleaseDiff diff) {
    this.diff = diff;
  }

  /** {@return the answer, whose first sentences for people are the conclusion} */
  public static Answer of(ReleaseDiff diff, Conclusion conclusion) {
    ReleaseDiffAnswer made = new ReleaseDiffAnswer(diff);
    made.answer.titled(diff.title()).conclusion("", conclusion);
    made.addFigures();
    made.addLines();
    return made.answer;
  }

  private void addFigures() {
    answer
        .field("kind", "release")
        .field("input_a", diff.inputA())
        .field("input_b", diff.inputB())
        .field("bytes_a", diff.bytesA())
        .field("bytes_b", diff.bytesB())
        .field("growth_bytes", diff.growthBytes())
        .table(
            Table.named("models", diff.models())
                .text("command", Table.HIDDEN, ModelDiff::command)
                .text("model", Table.HIDDEN, ModelDiff::name)
                .text("change", Table.HIDDEN, model -> model.change().key())
                .text("figure", Table.HIDDEN, ModelDiff::figure)
                .count("bytes_a", Table.HIDDEN, ModelDiff::bytesA)
                .count("bytes_b", Table.HIDDEN, ModelDiff::bytesB)
                .data("other_options", model -> Figure.texts(model.otherOptions()))
                .text("cause", Table.HIDDEN, ModelDiff::cause))
        .field("incomparable", Figure.texts(diff.incomparable()));
  }

  private void addLines() {
    addSide("A", diff.inputA(), diff.modelCount(ModelDiff::bytesInA), diff.bytesA());
    addSide("B", diff.inputB(), diff.modelCount(ModelDiff::bytesInB), diff.bytesB());
    ChangeTables<ModelDiff> tables =
        new ChangeTables<ModelDiff>(
                answer, "largest change", "model", this::row, ReleaseDiffAnswer::sum)
            .onPage("percent", ReleaseDiffAnswer::percent)
            .onPage("figure", model -> Figure.text(model.command() + " " + model.figure()));
    if (diff.isNone()) {
      tables.addOnPage(Change.SAME.title(), diff.models());
      return;
    }
    for (Change change : List.of(Change.GROWN, Change.NEW, Change.SHRUNK, Change.GONE)) {
      tables.add(change.title(), diff.with(change));
    }
    List<ModelDiff> same = diff.with(Change.SAME);
    tables.addOnPage(Change.SAME.title(), same);
    if (!same.isEmpty()) {
      answer.line(
          "%nWithout change: %s with %s",
          Numbers.count(same.size(), "model"),
          ByteUnit.exact(same.stream().mapToLong(ModelDiff::bytesB).sum()));
    }
    for (ModelDiff model : diff.models()) {
      if (!model.otherOptions().isEmpty()) {
        answer.line(
            "%s has other options: %s",
            Printable.of(model.name()), Printable.of(String.join(", ", model.otherOptions())));
      }
    }
    diff.incomparable().forEach(sentence -> answer.line("%s", Printable.of(sentence)));
  }

  private void addSide(String name, String input, long modelCount, long bytes) {
    answer.legend(
        name,
        Text.of(
            "%s: %s, %s in all",
            Printable.of(input), Numbers.count(modelCount, "model"), ByteUnit.exact(bytes)));
  }

  private static Figure percent(ModelDiff model) {
    return model.bytesInB().isEmpty() ? Figure.none() : Figure.over(model.bytesB(), model.bytesA());
  }

  private Row row(ModelDiff model) {
    return new Row(
        model.bytesA(),
        model.bytesB(),
        model.cause(),
        diff.hasSeveralCommands() ? model.command() + " " + model.name() : model.name());
  }

  private static Row sum(List<ModelDiff> models) {
    return new Row(
        models.stream().mapToLong(ModelDiff::bytesA).sum(),
        models.stream().mapToLong(ModelDiff::bytesB).sum(),
        "",
        "");
  }
}
