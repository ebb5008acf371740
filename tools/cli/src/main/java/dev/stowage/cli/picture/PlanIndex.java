package dev.stowage.cli.picture;

import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FigureTable.Column;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The index of several planned inputs. */
public final class PlanIndex {

  private final FigureTable table =
      new FigureTable(
          "Inputs",
          List.of(
              Column.text("Input"),
              Column.number("Records"),
              Column.number("Best arena"),
              Column.text("Strategy"),
              Column.number("Lower bound"),
              Column.number("Above the bound"),
              Column.number("Saved by sharing"),
              Column.number("Peak of live bytes"),
              Column.text("Note")));

  /** {@return the table} */
  public FigureTable table() {
    return table;
  }

  /**
   * Adds plans.
   *
   * @param report the plans, with one or more offsets plans
   * @param address the address of their page
   * @param capacityBytes the bytes that a plan must fit into
   */
  public void add(PlanReport report, String address, OptionalLong capacityBytes) {
    Plan.Offsets best = report.bestOffsets().orElseThrow();
    PlanPicture picture = Pictures.of(report);
    ShownPlan shown = picture.best();
    long total = shown.totalBytes();
    long bound = shown.boundBytes();
    long naive = picture.tensors().problem().naiveBytes();
    List<String> notes = new ArrayList<>();
    if (report.arePlansCut()) {
      notes.add("interrupted: plans can be missing");
    }
    if (total > capacityBytes.orElse(Long.MAX_VALUE)) {
      notes.add("does not fit into " + ByteUnit.exact(capacityBytes.orElseThrow()));
    }
    double above = bound == 0 ? 0 : (double) (total - bound) / bound;
    table.add(
        List.of(
            Cell.link(report.input().file().path(), address),
            Cell.count(picture.tensors().problem().records().size()),
            Cell.bytes(total),
            Cell.text(best.strategy().name()),
            Cell.bytes(bound),
            Cell.share(shown.quality(), above),
            Cell.share(
                Numbers.percent(naive - total, naive),
                naive == 0 ? 0 : (double) (naive - total) / naive),
            Cell.bytes(report.bounds().orElseThrow().offsetsBytes()),
            Cell.text(String.join("; ", notes))));
  }

  /**
   * Adds layouts for all shapes, which have no bytes of one shape.
   *
   * @param report the layouts
   * @param address the address of their page
   */
  public void add(ShapesReport report, String address) {
    table.add(
        List.of(
            Cell.link(report.input().file().path(), address),
            Cell.count(report.problem().records().size()),
            Cell.none(),
            Cell.none(),
            Cell.none(),
            Cell.none(),
            Cell.none(),
            Cell.none(),
            Cell.text("layouts for all shapes: " + report.problem().ranges())));
  }
}
