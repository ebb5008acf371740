package dev.stowage.cli.picture;

import dev.stowage.cli.plan.ArenasConclusion;
import dev.stowage.cli.plan.MicroReport;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.PlanPicture;
import dev.stowage.pages.ReportPage;
import dev.stowage.pages.ShownPlan;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The index of several planned inputs. */
public final class PlanIndex {

  private final FigureTable<Row> table =
      new FigureTable<Row>("Inputs")
          .left("Input", row -> Cell.link(row.report.input().file().path(), row.address))
          .count("Records", row -> row.report.input().labels().size())
          .bytes("Best arena", Row::arenaBytes)
          .text("Strategy", row -> row.best.strategy())
          .bytes("Lower bound", row -> row.best.boundBytes())
          .number("Above the bound", Row::above)
          .number("Saved by sharing", Row::saved)
          .bytes("Peak of live bytes", row -> row.report.bounds().orElseThrow().offsetsBytes())
          .text("Note", Row::note);

  private final List<Row> rows = new ArrayList<>();
  private final List<String> options;

  /**
   * @param options the options of the command that change plans
   */
  public PlanIndex(List<String> options) {
    this.options = List.copyOf(options);
  }

  private record Row(PlanReport report, PlanPicture picture, ShownPlan best, String address) {

    /** {@return the bytes of the arena, with the tail of TensorFlow Lite Micro} */
    long arenaBytes() {
      return report.micro().map(MicroReport::smallestArenaBytes).orElseGet(best::totalBytes);
    }

    Cell above() {
      long bound = best.boundBytes();
      double above = bound == 0 ? 0 : (double) (best.totalBytes() - bound) / bound;
      return Cell.share(best.quality(), above);
    }

    Cell saved() {
      long naive = picture.problem().naiveBytes();
      long saved = naive - best.totalBytes();
      return Cell.share(Numbers.percent(saved, naive), naive == 0 ? 0 : (double) saved / naive);
    }

    String note() {
      List<String> notes = new ArrayList<>();
      if (report.arePlansCut()) {
        notes.add("interrupted: plans can be missing");
      }
      OptionalLong capacity = picture.run().capacityBytes();
      if (arenaBytes() > capacity.orElse(Long.MAX_VALUE)) {
        notes.add("does not fit into " + ByteUnit.exact(capacity.orElseThrow()));
      }
      return String.join("; ", notes);
    }
  }

  public FigureTable<?> table() {
    return table;
  }

  /** {@return the conclusion on plans; empty if there are none} */
  public Optional<Conclusion> conclusion() {
    return ArenasConclusion.of(rows.stream().map(Row::report).toList(), options);
  }

  /** Adds plans, with one or more offsets plans, to a page and to the index. */
  public void add(PlanReport report, RunFacts run, ReportPage page) throws IOException {
    PlanPicture picture = Pictures.of(report).withRun(run);
    page.add(picture);
    Row row = new Row(report, picture, picture.best(), page.lastAddress());
    rows.add(row);
    table.add(row);
  }
}
