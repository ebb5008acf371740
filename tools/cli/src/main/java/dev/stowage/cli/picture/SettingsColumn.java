package dev.stowage.cli.picture;

import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.tune.EqualResults;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.tune.Candidate;
import java.util.List;
import java.util.function.Function;

/** The column of the settings in tables of {@code stowage tune}. */
final class SettingsColumn {

  private SettingsColumn() {}

  /** {@return the title of the column of settings} */
  static String title(AllocatorKind allocator) {
    return allocator == AllocatorKind.netty ? "Properties of io.netty.allocator" : "Settings";
  }

  /** {@return the simplest settings of a group, with a list of the others} */
  static <T> Cell cell(EqualResults<T> group, Function<T, Candidate> candidate) {
    Cell simplest = Cell.text(TuningReport.name(candidate.apply(group.simplest())));
    List<String> others =
        group.others().stream().map(result -> TuningReport.name(candidate.apply(result))).toList();
    return others.isEmpty()
        ? simplest
        : simplest.withMore(
            "and " + Numbers.count(others.size(), "setting") + " with the same figures", others);
  }
}
