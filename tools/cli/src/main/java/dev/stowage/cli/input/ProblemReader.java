package dev.stowage.cli.input;

import java.io.IOException;
import java.io.Reader;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;

/** A reader of problems in JSON and in CSV, MiniMalloc's format. docs/formats.md has the keys. */
final class ProblemReader {

  private static final String RECORDS = "an object with the key 'records'";
  private static final String HEADER = "a header with id, lower, upper and size";

  /** The keys of the columns of CSV, by their names. */
  private static final Map<String, String> KEYS =
      Stream.of(
              "id=id, buffer=id, buffer_id=id",
              "lower=first_task, begin=first_task, start=first_task, first_task=first_task",
              "upper=upper, end=last_task, last_task=last_task, size=size, alignment=alignment",
              "hint=hint, gaps=gaps, in_place_of=in_place_of, offset=offset, name=name",
              "reads=reads, bank=bank")
          .flatMap(line -> Stream.of(line.split(", ")))
          .map(column -> column.split("="))
          .collect(Collectors.toMap(column -> column[0], column -> column[1]));

  private ProblemReader() {}

  /** Reads a problem or a plan into {@code tensors}. */
  static PlanInput read(String source, Reader reader, boolean isJson, ProblemTensors tensors)
      throws IOException {
    return isJson ? json(source, reader, tensors) : csv(source, reader, tensors);
  }

  static PlanInput json(String source, Reader reader, ProblemTensors tensors) throws IOException {
    MappedText text = MappedText.ofJson(source, reader);
    ProblemFile file = text.object(RECORDS, ProblemFile.class);
    for (var dimension : file.dimensions().orElse(Map.of()).entrySet()) {
      tensors.declare(dimension.getKey(), dimension.getValue());
    }
    for (ProblemRecord record : file.records()) {
      tensors.add(record);
    }
    return tensors.input("json", file, text.notes());
  }

  static PlanInput csv(String source, Reader reader, ProblemTensors tensors) throws IOException {
    MappedText text = MappedText.ofCsv(source, reader, KEYS, Set.of("gaps"), HEADER);
    Set<String> keys = text.columns().keySet();
    if (!keys.containsAll(Set.of("id", "first_task", "size"))
        || keys.contains("upper") == keys.contains("last_task")) {
      throw text.malformed(
          "has the header "
              + text.header()
              + ", expected id, lower, upper (exclusive) or end (inclusive), and size, separated by commas");
    }
    text.readRows(new TypeReference<ProblemRecord>() {}, tensors::add);
    return tensors.input("csv", ProblemFile.NONE, text.notes());
  }
}
