package dev.stowage.cli.input;

import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A reader of problems in JSON: an object with {@code records} and optionally {@code capacity} and
 * {@code usage_graph} or {@code reallocation_graph}.
 */
final class ProblemJsonReader {

  private final String source;
  private final JsonValues values;

  private final ProblemTensors tensors;
  private final List<TextureUsageRecord> textures = new ArrayList<>();
  private Optional<int[][]> usageGraph = Optional.empty();
  private Optional<int[][]> reallocationGraph = Optional.empty();
  private boolean hasRecords;
  private OptionalLong capacity = OptionalLong.empty();

  private ProblemJsonReader(String source, JsonValues values, ProblemTensors tensors) {
    this.source = source;
    this.values = values;
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
    return JsonValues.read(
        source, reader, values -> new ProblemJsonReader(source, values, tensors).read());
  }

  private PlanInput read() throws MalformedFileException {
    String expected = "an object with the key 'records'";
    if (!values.next()) {
      throw new MalformedFileException(source, "is empty, expected " + expected);
    }
    values.readObject(expected, this::read);
    if (values.next()) {
      throw values.malformed("there is text after the problem, expected one JSON object");
    }
    if (!hasRecords) {
      throw new MalformedFileException(source, "has no key 'records', expected a list of records");
    }
    return input();
  }

  private void read(String key) throws MalformedFileException {
    switch (key) {
      case "records" -> {
        hasRecords = true;
        values.readList("a list of records", this::readRecord);
      }
      case "usage_graph" -> usageGraph = Optional.of(indexLists(key));
      case "reallocation_graph" -> reallocationGraph = Optional.of(indexLists(key));
      case "dimensions" -> readDimensions().ranges().forEach(tensors.sizes()::declare);
      case "layouts" -> throw values.malformed(ProblemTensors.FORMULAS);
      case "capacity" -> capacity = OptionalLong.of(capacity());
      default -> values.ignore(key);
    }
  }

  private PlanInput input() throws MalformedFileException {
    try {
      if (textures.isEmpty()) {
        return tensors.input("json", capacity, values.notes(), graph());
      }
      long lastTask = textures.stream().mapToLong(TextureUsageRecord::lastTask).max().orElseThrow();
      List<String> notes = new ArrayList<>(values.notes());
      notes.addAll(tensors.sizes().notes());
      InputFile file = new InputFile(source, "json", lastTask + 1, capacity, notes);
      PlanInput.Textures input = new PlanInput.Textures(file, tensors.labels(), textures, graph());
      input.planned(); // rejects a graph that contradicts the textures
      return input;
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(source, String.valueOf(e.getMessage()));
    }
  }

  /** {@return the current value, an object with a range or a number for each dimension} */
  private DimensionRanges readDimensions() throws MalformedFileException {
    List<DimensionRange> ranges = new ArrayList<>();
    values.readObject(
        "an object with a range [first, last] for each dimension",
        name -> {
          List<Long> bounds = new ArrayList<>();
          if (values.isList()) {
            values.readList("a range", () -> bounds.add(values.number(name)));
          } else {
            bounds.add(values.number(name, "a range [first, last] or a whole number"));
            bounds.add(bounds.getFirst());
          }
          if (bounds.size() != 2) {
            throw values.malformed(
                Text.of(
                    "dimension '%s' has %s, expected [first, last]",
                    MalformedFileException.excerpt(name), Numbers.count(bounds.size(), "number")));
          }
          try {
            ranges.add(new DimensionRange(name, bounds.getFirst(), bounds.getLast()));
          } catch (IllegalArgumentException e) {
            throw values.malformed(String.valueOf(e.getMessage()));
          }
        });
    return new DimensionRanges(ranges);
  }

  private long capacity() throws MalformedFileException {
    long bytes = values.number("capacity", "whole bytes in digits, such as 1000");
    if (bytes < 0) {
      throw values.malformed(Text.of("capacity is %d, expected 0 or more bytes", bytes));
    }
    return bytes;
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

  private void readRecord() throws MalformedFileException {
    int index = tensors.labels().size();
    try {
      JsonRecord record = JsonRecord.read(values, index);
      if (record.isTexture()) {
        textures.add(record.toTexture());
        checkDimensions(record);
      } else {
        record.addTo(tensors);
      }
      if (!tensors.isEmpty() && !textures.isEmpty()) {
        throw record.malformed(
            "sizes are bytes in one record and an extent in another, expected one kind");
      }
      record.addLabelTo(tensors);
    } catch (IllegalArgumentException e) {
      throw values.malformed(Text.of("record %d: %s", index, e.getMessage()));
    }
  }

  private void checkDimensions(JsonRecord record) throws MalformedFileException {
    boolean hasDepth = textures.getFirst().extent().depth().isPresent();
    if (textures.getLast().extent().depth().isPresent() != hasDepth) {
      throw record.malformed(
          Text.of(
              "expected %d dimensions, the number of dimensions of record 0", hasDepth ? 3 : 2));
    }
  }

  /** {@return a list of record indices for each record} */
  private int[][] indexLists(String key) throws MalformedFileException {
    List<int[]> lists = new ArrayList<>();
    values.readList(
        "a list of lists of record indices",
        () -> {
          IntStream.Builder indices = IntStream.builder();
          String name = Text.of("%s[%d]", key, lists.size());
          values.readList("a list of record indices", () -> indices.add(index(name)));
          lists.add(indices.build().toArray());
        });
    return lists.toArray(int[][]::new);
  }

  private int index(String list) throws MalformedFileException {
    long index = values.number(list, "contains", indexRange());
    if (index < 0 || index > Integer.MAX_VALUE) {
      throw values.malformed(Text.of("%s contains %d, expected %s", list, index, indexRange()));
    }
    return (int) index;
  }

  /** {@return the expected content of a list of a graph, with the range if records are known} */
  private String indexRange() {
    String range =
        switch (tensors.labels().size()) {
          case 0 -> "";
          case 1 -> ", 0";
          default -> ", 0 to " + (tensors.labels().size() - 1);
        };
    return "the index of a record" + range;
  }
}
