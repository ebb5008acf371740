package dev.stowage.cli.input;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.shapes.DimensionRange;
import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A reader of problems in JSON: an object with {@code records} and optionally {@code capacity},
 * {@code dimensions} and {@code usage_graph} or {@code reallocation_graph}.
 */
final class ProblemJsonReader {

  private static final Map<Class<?>, String> EXPECTED =
      Map.of(
          int[].class, "indices of records in lists",
          int[][].class, "indices of records in lists",
          String.class, "a text or a number",
          ProblemRecord.Pause.class, "a gap, an object with first_task and last_task",
          ProblemRecord.class, "an object with size, first_task and last_task");

  private final String source;
  private final JsonText text;

  private final ProblemTensors tensors;
  private Optional<int[][]> usageGraph = Optional.empty();
  private Optional<int[][]> reallocationGraph = Optional.empty();
  private boolean hasRecords;
  private OptionalLong capacity = OptionalLong.empty();

  private ProblemJsonReader(String source, JsonText text, ProblemTensors tensors) {
    this.source = source;
    this.text = text;
    this.tensors = tensors;
  }

  static PlanInput read(String source, Reader reader, GivenDimensions dimensions)
      throws IOException {
    return read(source, reader, new ProblemTensors(source, false, dimensions));
  }

  static PlacedInput readPlan(String source, Reader reader, GivenDimensions dimensions)
      throws IOException {
    ProblemTensors tensors = new ProblemTensors(source, true, dimensions);
    return tensors.plan(read(source, reader, tensors));
  }

  private static PlanInput read(String source, Reader reader, ProblemTensors tensors)
      throws IOException {
    return JsonText.read(
        source,
        reader,
        false,
        EXPECTED,
        text -> new ProblemJsonReader(source, text, tensors).read());
  }

  private PlanInput read() throws MalformedFileException {
    text.readObject("an object with the key 'records'", this::read);
    if (!hasRecords) {
      throw new MalformedFileException(source, "has no key 'records', expected a list of records");
    }
    return tensors.input("json", capacity, text.notes(), this::graph);
  }

  private void read(String key) throws MalformedFileException {
    switch (key) {
      case "records" -> {
        hasRecords = true;
        text.readList("record", ProblemRecord.class, this::add);
      }
      case "usage_graph" -> usageGraph = Optional.of(text.value(key, int[][].class));
      case "reallocation_graph" -> reallocationGraph = Optional.of(text.value(key, int[][].class));
      case "dimensions" ->
          text.readMap(
              key,
              ProblemRecord.Size.class,
              (name, range) -> tensors.sizes().declare(range(name, range.numbers())));
      case "layouts" -> throw text.malformed(ProblemTensors.FORMULAS);
      case "capacity" -> {
        capacity = OptionalLong.of(text.value(key, Long.class));
        if (capacity.getAsLong() < 0) {
          throw text.malformed(
              Text.of("capacity is %d, expected 0 or more bytes", capacity.getAsLong()));
        }
      }
      default -> text.ignore(key);
    }
  }

  private void add(ProblemRecord record) {
    int index = tensors.labels().size();
    if (record.size().isEmpty() || record.firstTask().isEmpty() || record.lastTask().isEmpty()) {
      throw new IllegalArgumentException("lacks " + missing(record));
    }
    String id = record.id().orElse(Integer.toString(index));
    String place = record.inPlaceOf().isPresent() ? text.place() : "";
    tensors.add(record, id, "record " + index, place);
  }

  private static String missing(ProblemRecord record) {
    return Stream.of(
            record.size().isEmpty() ? "size" : "",
            record.firstTask().isEmpty() ? "first_task" : "",
            record.lastTask().isEmpty() ? "last_task" : "")
        .filter(key -> !key.isEmpty())
        .collect(Collectors.joining(", "));
  }

  private static DimensionRange range(String name, List<Long> bounds) {
    if (bounds.isEmpty() || bounds.size() > 2) {
      throw new IllegalArgumentException("expected a range [first, last]");
    }
    return new DimensionRange(name, bounds.getFirst(), bounds.getLast());
  }

  private Optional<ReuseGraph> graph() throws MalformedFileException {
    if (usageGraph.isPresent() && reallocationGraph.isPresent()) {
      throw new MalformedFileException(
          source, "has both a usage_graph and a reallocation_graph, expected one of them");
    }
    Optional<int[][]> lists = usageGraph.or(() -> reallocationGraph);
    if (lists.isPresent() && lists.get().length != tensors.labels().size()) {
      // A graph takes memory quadratic in its lists, so their number is checked first.
      throw new MalformedFileException(
          source,
          Text.of(
              "%s has %s for %s, expected one for each",
              usageGraph.isPresent() ? "usage_graph" : "reallocation_graph",
              Numbers.count(lists.get().length, "list"),
              Numbers.count(tensors.labels().size(), "record")));
    }
    return usageGraph
        .map(ReuseGraph::ofUsage)
        .or(() -> reallocationGraph.map(ReuseGraph::ofReallocation));
  }
}
