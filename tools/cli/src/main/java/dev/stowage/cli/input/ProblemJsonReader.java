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
import tools.jackson.core.type.TypeReference;

/**
 * A reader of problems in JSON: an object with {@code records} and optionally {@code capacity},
 * {@code dimensions} and {@code usage_graph} or {@code reallocation_graph}.
 */
final class ProblemJsonReader {

  private static final String RECORD = "an object with size, first_task and last_task";

  private static final Map<Class<?>, String> EXPECTED =
      Map.of(
          int[].class, "indices of records in lists",
          int[][].class, "indices of records in lists",
          String.class, "a text or a number",
          ProblemRecord.Pause.class, "a gap, an object with first_task and last_task",
          ProblemRecord.class, RECORD);

  private static final TypeReference<int[][]> GRAPH = new TypeReference<>() {};

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

  /** Reads a problem or a plan into {@code tensors}. */
  static PlanInput read(String source, Reader reader, ProblemTensors tensors) throws IOException {
    return JsonText.read(
        source, reader, EXPECTED, text -> new ProblemJsonReader(source, text, tensors).read());
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
      case "usage_graph" -> usageGraph = Optional.of(text.value(key, GRAPH));
      case "reallocation_graph" -> reallocationGraph = Optional.of(text.value(key, GRAPH));
      case "dimensions" -> readDimensions(key);
      case "capacity" -> {
        capacity = OptionalLong.of(text.value(key, new TypeReference<Long>() {}));
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
    tensors.add(
        record, record.id().orElse(Integer.toString(index)), "record " + index, text::place);
  }

  private void readDimensions(String key) throws MalformedFileException {
    Map<String, ProblemRecord.Size> ranges = text.value(key, new TypeReference<>() {});
    for (var range : ranges.entrySet()) {
      List<Long> bounds = range.getValue().numbers();
      try {
        if (bounds.isEmpty() || bounds.size() > 2) {
          throw new IllegalArgumentException("expected a range [first, last]");
        }
        tensors
            .sizes()
            .declare(new DimensionRange(range.getKey(), bounds.getFirst(), bounds.getLast()));
      } catch (IllegalArgumentException e) {
        throw text.malformed(
            Text.of("'%s': %s", MalformedFileException.excerpt(range.getKey()), e.getMessage()));
      }
    }
  }

  private Optional<ReuseGraph> graph() throws MalformedFileException {
    if (usageGraph.isPresent() && reallocationGraph.isPresent()) {
      throw new MalformedFileException(
          source, "has both a usage_graph and a reallocation_graph, expected one of them");
    }
    int records = tensors.labels().size();
    int lists = usageGraph.or(() -> reallocationGraph).map(graph -> graph.length).orElse(records);
    if (lists != records) {
      // A graph takes memory quadratic in its lists, so their number is checked first.
      throw new MalformedFileException(
          source,
          Text.of(
              "the graph has %s for %s, expected one for each",
              Numbers.count(lists, "list"), Numbers.count(records, "record")));
    }
    return usageGraph
        .map(ReuseGraph::ofUsage)
        .or(() -> reallocationGraph.map(ReuseGraph::ofReallocation));
  }
}
