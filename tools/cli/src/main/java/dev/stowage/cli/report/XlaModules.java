package dev.stowage.cli.report;

import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.plan.PlanReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The modules of a dump of XLA for people: a row for each, the largest first. */
final class XlaModules {

  /** The start of the file names, before the number of the module. */
  private static final String START = "module_";

  /** The end of a file name after the module: the processor, the stage and the file. */
  private static final Pattern END =
      Pattern.compile(
          "(?:\\.(?:sm_\\d+\\.\\d+_)?\\w+_after_optimizations)?-buffer-assignment\\.txt(?:\\.gz)?$");

  /**
   * A row.
   *
   * @param xla XLA's plan
   * @param best the best plan of a strategy
   */
  private record Row(PlanReport report, Plan.InArena xla, Plan.InArena best) {

    long savedBytes() {
      return xla.totalBytes() - best.totalBytes();
    }
  }

  private XlaModules() {}

  /** {@return true if all reports are of modules, with offsets of strategies or without records} */
  static boolean areModules(List<PlanReport> reports) {
    return reports.stream()
        .allMatch(report ->
            report.input() instanceof PlanInput.Tensors tensors
                && tensors.xla().isPresent()
                && (isEmpty(report) || row(report).isPresent()));
  }

  private static boolean isEmpty(PlanReport report) {
    return report.input().labels().isEmpty();
  }

  private static Optional<Row> row(PlanReport report) {
    return report
        .planOfXla()
        .flatMap(xla -> report.bestOffsets().map(best -> new Row(report, xla, best)));
  }

  /** Adds the rows, their sum, and the number of modules without temporaries. */
  static void addTo(Answer answer, List<PlanReport> reports) {
    List<Row> rows =
        reports.stream()
            .filter(report -> !isEmpty(report))
            .flatMap(report -> row(report).stream())
            .sorted(Comparator.comparingLong((Row row) -> row.xla().totalBytes()).reversed())
            .toList();
    if (!rows.isEmpty()) {
      answer.facts(table(rows));
    }
    long cutCount =
        rows.stream().filter(row -> !row.best().isOptimal() && row.report().isOutOfTime()).count();
    if (cutCount > 0) {
      answer.line(
          "%nOPTIMAL reached its time limit for %s; a higher --time-limit lets it search longer.",
          Numbers.count(cutCount, "module"));
    }
    int emptyCount = reports.size() - rows.size();
    if (emptyCount > 0) {
      answer.line(
          "%s%s without temporaries.",
          rows.isEmpty() ? "" : "\n", Numbers.count(emptyCount, "module"));
    }
  }

  private static Facts table(List<Row> rows) {
    Map<String, String> titles = titles(rows.stream().map(XlaModules::path).toList());
    Facts facts = new Facts("TEMPORARIES of modules", "XLA", "best", "saved", "", "proof");
    long xlaBytes = 0;
    long savedBytes = 0;
    for (Row row : rows) {
      facts.row(
          "",
          titles.getOrDefault(path(row), path(row)),
          Figure.inUnit(row.xla().totalBytes()),
          Figure.inUnit(row.best().totalBytes()),
          Figure.inUnit(row.savedBytes()),
          percent(row.savedBytes(), row.xla().totalBytes()),
          Figure.overBound(
              row.best().isOptimal(), row.best().totalBytes(), row.report().offsetsBoundBytes()));
      xlaBytes += row.xla().totalBytes();
      savedBytes += row.savedBytes();
    }
    return rows.size() == 1
        ? facts
        : facts.row(
            "",
            "sum of " + Numbers.count(rows.size(), "module"),
            Figure.inUnit(xlaBytes),
            Figure.inUnit(xlaBytes - savedBytes),
            Figure.inUnit(savedBytes),
            percent(savedBytes, xlaBytes));
  }

  private static Figure percent(long bytes, long allBytes) {
    return allBytes == 0 ? Figure.none() : Figure.text(Numbers.percent(bytes, allBytes));
  }

  private static String path(Row row) {
    return row.report().input().file().path();
  }

  /** {@return the names of modules, and the paths of those whose names occur more than once} */
  private static Map<String, String> titles(List<String> paths) {
    Map<String, Integer> counts = new HashMap<>();
    paths.forEach(path -> counts.merge(module(path), 1, Integer::sum));
    Map<String, String> titles = new HashMap<>();
    for (String path : paths) {
      String module = module(path);
      titles.put(path, Printable.of(counts.getOrDefault(module, 0) == 1 ? module : path));
    }
    return titles;
  }

  /** {@return the number and the name of a module: {@code 0001.jit_f}} */
  private static String module(String path) {
    String name = String.valueOf(Path.of(path).getFileName());
    return END.matcher(name.startsWith(START) ? name.substring(START.length()) : name)
        .replaceFirst("");
  }
}
