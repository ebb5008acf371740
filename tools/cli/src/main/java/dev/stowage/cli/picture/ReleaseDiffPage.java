package dev.stowage.cli.picture;

import dev.stowage.cli.diff.Change;
import dev.stowage.cli.diff.ModelDiff;
import dev.stowage.cli.diff.ReleaseDiff;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The page of two compared baselines. */
public final class ReleaseDiffPage {

  private final ReleaseDiff diff;
  private final FiguresPage page;

  private ReleaseDiffPage(ReleaseDiff diff, RunFacts run) {
    this.diff = diff;
    page = new FiguresPage(diff.title(), "difference", "Compared", run);
  }

  public static FiguresPage of(ReleaseDiff diff, RunFacts run) {
    ReleaseDiffPage content = new ReleaseDiffPage(diff, run);
    content.addSummary();
    content.addModels();
    return content.page;
  }

  private void addSummary() {
    page.addText("A: " + Printable.of(diff.inputA()));
    page.addText("B: " + Printable.of(diff.inputB()));
    page.addFigures(
        List.of(
            new Figure(
                "A, " + Numbers.count(diff.modelCount(ModelDiff::bytesInA), "model"),
                ByteUnit.exact(diff.bytesA())),
            new Figure(
                "B, " + Numbers.count(diff.modelCount(ModelDiff::bytesInB), "model"),
                ByteUnit.exact(diff.bytesB())),
            new Figure("Growth in all", DifferenceText.growth(diff.bytesA(), diff.bytesB())),
            new Figure("Models", changes())));
  }

  /** {@return the numbers of models by change: {@code 1 grown, 2 new, 5 same}} */
  private String changes() {
    List<String> counts = new ArrayList<>();
    Stream.of(Change.GROWN, Change.NEW, Change.SHRUNK, Change.GONE, Change.SAME)
        .filter(change -> !diff.with(change).isEmpty())
        .forEach(
            change -> counts.add(Numbers.grouped(diff.with(change).size()) + " " + change.text()));
    return counts.isEmpty() ? "none" : String.join(", ", counts);
  }

  private void addModels() {
    page.addHeading("Memory of each model");
    page.addText("The upper bar of a model has its bytes in A, the lower one those in B.");
    double most =
        diff.models().stream()
            .mapToDouble(model -> Math.max(model.bytesA(), model.bytesB()))
            .reduce(1, Math::max);
    FigureTable<ModelDiff> table =
        new FigureTable<ModelDiff>("Models")
            .left(
                "Model",
                model ->
                    Cell.text(model.name()).withBars(model.bytesA() / most, model.bytesB() / most))
            .text("Change", model -> model.change().text())
            .number("Growth", model -> Cell.growth(model.growthBytes()))
            .number("Percent", ReleaseDiffPage::percent)
            .bytes("Bytes in A", ModelDiff::bytesA)
            .bytes("Bytes in B", ModelDiff::bytesB)
            .text("Figure", model -> model.command() + " " + model.figure());
    if (diff.models().stream().anyMatch(model -> !model.cause().isEmpty())) {
      table.text("Largest change", ModelDiff::cause);
    }
    if (diff.models().stream().anyMatch(model -> !model.otherOptions().isEmpty())) {
      table.text("Other options", model -> String.join(", ", model.otherOptions()));
    }
    page.addTable(table.addAll(diff.models()));
    diff.incomparable().forEach(page::addText);
  }

  private static Cell percent(ModelDiff model) {
    if (model.bytesA() == 0 || model.bytesInB().isEmpty()) {
      return Cell.none();
    }
    double share = (double) model.growthBytes() / model.bytesA();
    return Cell.share(Text.of("%s%s", share > 0 ? "+" : "", Numbers.percent(share)), share);
  }
}
