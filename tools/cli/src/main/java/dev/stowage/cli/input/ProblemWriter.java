package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.stowage.cli.text.CsvField;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
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

  /** A problem as a file in JSON has it. */
  private record Problem(
      OptionalLong capacity,
      List<ProblemRecord> records,
      Optional<List<int[]>> usageGraph,
      Optional<List<int[]>> reallocationGraph) {}

  private record Column(
      String name, Predicate<ProblemRecord> isNeeded, Function<ProblemRecord, String> field) {}

  private static final Set<String> REQUIRED = Set.of("id", "lower", "upper", "size");

  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", _ -> true, record -> record.id().orElseThrow()),
          new Column("lower", _ -> true, record -> Long.toString(record.firstTask())),
          new Column("upper", _ -> true, record -> Long.toString(record.lastTask() + 1)),
          new Column("size", _ -> true, record -> Long.toString(record.size().bytes())),
          new Column(
              "alignment",
              record -> record.alignment().isPresent(),
              record -> Long.toString(record.alignment().orElse(1))),
          new Column("hint", record -> record.hint().isPresent(), record -> text(record.hint())),
          new Column("gaps", record -> record.gaps().isPresent(), ProblemWriter::gaps),
          new Column(
              "in_place_of",
              record -> record.inPlaceOf().isPresent(),
              record -> record.inPlaceOf().orElse("")),
          new Column(
              "name",
              record -> !record.name().equals(record.id()),
              record -> record.name().orElse("")),
          new Column("reads", record -> record.reads().isPresent(), record -> text(record.reads())),
          new Column(
              "bank", record -> record.bank().isPresent(), record -> record.bank().orElse("")),
          new Column(
              "offset", record -> record.offset().isPresent(), record -> text(record.offset())));

  private final PlanInput.Tensors input;
  private final Optional<long[]> offsets;
  private final Map<Integer, String> banks;

  private ProblemWriter(
      PlanInput.Tensors input, Optional<long[]> offsets, Map<Integer, String> banks) {
    this.input = input;
    this.offsets = offsets;
    this.banks = banks;
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
    List<ProblemRecord> records = new ProblemWriter(input, offsets, banks).records();
    List<Column> columns =
        COLUMNS.stream()
            .filter(column ->
                REQUIRED.contains(column.name) || records.stream().anyMatch(column.isNeeded))
            .toList();
    out.write(String.join(",", columns.stream().map(Column::name).toList()) + "\n");
    for (ProblemRecord record : records) {
      List<String> fields =
          columns.stream().map(column -> CsvField.of(column.field.apply(record))).toList();
      out.write(String.join(",", fields) + "\n");
    }
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
    Optional<ReuseGraph> graph = input.problem().reuseGraph();
    try {
      MAPPER.writeValue(
          out,
          new Problem(
              capacity,
              new ProblemWriter(input, offsets, banks).records(),
              graph.filter(ReuseGraph::isUsageGraph).map(it -> lists(it, it::dependents)),
              graph.filter(it -> !it.isUsageGraph()).map(it -> lists(it, it::partners))));
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
    out.write("\n");
  }

  private static List<int[]> lists(ReuseGraph graph, IntFunction<int[]> list) {
    return IntStream.range(0, graph.recordCount()).mapToObj(list).toList();
  }

  private List<ProblemRecord> records() {
    Map<Integer, String> sources = PlanInput.sourceIds(input.problem(), input.labels());
    List<ProblemRecord> records = new ArrayList<>();
    for (int i = 0; i < input.labels().size(); i++) {
      records.add(record(i, Optional.ofNullable(sources.get(i))));
    }
    return records;
  }

  private ProblemRecord record(int index, Optional<String> inPlaceOf) {
    PlanProblem problem = input.problem();
    TensorUsageRecord record = problem.records().get(index);
    long alignment = problem.alignmentOf(record);
    return new ProblemRecord(
        Optional.of(input.labels().get(index).id()),
        Optional.of(input.labels().get(index).name()),
        new ProblemRecord.Size(List.of(record.bytes()), ""),
        record.firstTask(),
        record.lastTask(),
        alignment == 1 ? OptionalLong.empty() : OptionalLong.of(alignment),
        record.hint(),
        Optional.of(record.gaps().stream().map(ProblemRecord.Pause::of).toList())
            .filter(gaps -> !gaps.isEmpty()),
        inPlaceOf,
        input.hasReadsBesidePlan(banks)
            ? OptionalLong.of(input.banks().reads(index))
            : OptionalLong.empty(),
        Optional.ofNullable(banks.get(index)),
        offsets.isPresent() ? OptionalLong.of(offsets.get()[index]) : OptionalLong.empty());
  }

  private static String text(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : "";
  }

  private static String gaps(ProblemRecord record) {
    return record.gaps().orElse(List.of()).stream()
        .map(gap -> gap.firstTask() + "-" + (gap.lastTask() + 1) + window(gap))
        .collect(Collectors.joining(" "));
  }

  private static String window(ProblemRecord.Pause gap) {
    return gap.window().map(bytes -> "@" + bytes.getFirst() + ":" + bytes.getLast()).orElse("");
  }
}
