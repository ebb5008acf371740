package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.stowage.cli.text.CsvField;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * A writer of problems in JSON, and in CSV: MiniMalloc's format and a column of names.
 *
 * <p>A file in CSV has an optional column if a record needs it.
 */
public final class ProblemWriter {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_ABSENT))
          .build();

  private static final List<String> COLUMNS =
      List.of(
          "id",
          "lower",
          "upper",
          "size",
          "alignment",
          "hint",
          "gaps",
          "in_place_of",
          "name",
          "reads",
          "bank",
          "offset");

  private final PlanInput.Tensors input;
  private final Optional<long[]> offsets;
  private final Map<Integer, String> banks;
  private final Map<Integer, String> sources;

  private ProblemWriter(
      PlanInput.Tensors input, Optional<long[]> offsets, Map<Integer, String> banks) {
    this.input = input;
    this.offsets = offsets;
    this.banks = banks;
    sources = PlanInput.sourceIds(input.problem(), input.labels());
  }

  /**
   * Writes a problem in CSV, which has no graphs.
   *
   * @param offsets the offsets of the records; empty to write none
   * @param banks the names of the banks of records
   */
  public static void writeCsv(
      PlanInput.Tensors input, Optional<long[]> offsets, Map<Integer, String> banks, Writer out)
      throws IOException {
    ProblemWriter problem = new ProblemWriter(input, offsets, banks);
    Set<String> needed = new HashSet<>(COLUMNS.subList(0, 4));
    for (int i = 0; i < input.labels().size(); i++) {
      Map<String, String> row = problem.row(i);
      row.remove("alignment", "1");
      row.remove("name", row.get("id"));
      needed.addAll(row.keySet());
    }
    List<String> columns = COLUMNS.stream().filter(needed::contains).toList();
    out.write(String.join(",", columns) + "\n");
    for (int i = 0; i < input.labels().size(); i++) {
      Map<String, String> row = problem.row(i);
      out.write(
          columns.stream()
              .map(column -> row.getOrDefault(column, ""))
              .collect(Collectors.joining(",", "", "\n")));
    }
  }

  /** {@return the fields of a record that has them, by their columns} */
  private Map<String, String> row(int index) {
    ProblemRecord record = record(index);
    Map<String, String> row = new HashMap<>();
    row.put("id", field(record.id().orElseThrow()));
    row.put("lower", Long.toString(record.firstTask()));
    row.put("upper", Long.toString(record.last() + 1));
    row.put("size", Long.toString(record.size().bytes()));
    row.put("alignment", Long.toString(record.alignment().orElse(1)));
    row.put("name", field(record.name().orElseThrow()));
    record.hint().ifPresent(hint -> row.put("hint", Long.toString(hint)));
    record.gaps().ifPresent(gaps -> row.put("gaps", ProblemRecord.Pause.text(gaps)));
    record.inPlaceOf().ifPresent(id -> row.put("in_place_of", field(id)));
    record.reads().ifPresent(reads -> row.put("reads", Long.toString(reads)));
    record.bank().ifPresent(bank -> row.put("bank", field(bank)));
    record.offset().ifPresent(offset -> row.put("offset", Long.toString(offset)));
    return row;
  }

  /** {@return the field of a text; without quotes, an empty field is none} */
  private static String field(String text) {
    return text.isEmpty() ? "\"\"" : CsvField.of(text);
  }

  /**
   * Writes a problem in JSON.
   *
   * @param capacity the bytes that a plan must fit into, if they are limited
   * @param offsets the offsets of the records; empty to write none
   * @param banks the names of the banks of records
   */
  public static void writeJson(
      PlanInput.Tensors input,
      OptionalLong capacity,
      Optional<long[]> offsets,
      Map<Integer, String> banks,
      Writer out)
      throws IOException {
    ProblemWriter problem = new ProblemWriter(input, offsets, banks);
    Optional<ReuseGraph> graph = input.problem().reuseGraph();
    try {
      MAPPER.writeValue(
          out,
          new ProblemFile(
              capacity,
              IntStream.range(0, input.labels().size()).mapToObj(problem::record).toList(),
              Optional.empty(),
              graph.filter(ReuseGraph::isUsageGraph).map(it -> lists(it, it::dependents)),
              graph.filter(it -> !it.isUsageGraph()).map(it -> lists(it, it::partners))));
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
    out.write("\n");
  }

  private static int[][] lists(ReuseGraph graph, IntFunction<int[]> list) {
    return IntStream.range(0, graph.recordCount()).mapToObj(list).toArray(int[][]::new);
  }

  private ProblemRecord record(int index) {
    PlanProblem problem = input.problem();
    TensorUsageRecord record = problem.records().get(index);
    long alignment = problem.alignmentOf(record);
    return new ProblemRecord(
        "",
        Optional.of(input.labels().get(index).id()),
        Optional.of(input.labels().get(index).name()),
        new ProblemRecord.Size(List.of(record.bytes()), ""),
        record.firstTask(),
        OptionalLong.of(record.lastTask()),
        OptionalLong.empty(),
        alignment == 1 ? OptionalLong.empty() : OptionalLong.of(alignment),
        record.hint(),
        Optional.of(record.gaps().stream().map(ProblemRecord.Pause::of).toList())
            .filter(gaps -> !gaps.isEmpty()),
        Optional.ofNullable(sources.get(index)),
        input.hasReadsBesidePlan(banks)
            ? OptionalLong.of(input.banks().reads(index))
            : OptionalLong.empty(),
        Optional.ofNullable(banks.get(index)),
        offsets.isPresent() ? OptionalLong.of(offsets.get()[index]) : OptionalLong.empty());
  }
}
