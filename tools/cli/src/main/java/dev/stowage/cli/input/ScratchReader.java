package dev.stowage.cli.input;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.stowage.tflite.micro.ScratchBuffer;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.type.TypeReference;

/**
 * A reader of the scratch buffers of a model: CSV with the columns subgraph, operator and bytes.
 */
public final class ScratchReader {

  private static final Map<String, String> KEYS =
      Map.of("subgraph", "subgraph", "operator", "operator", "bytes", "bytes");

  private static final String HEADER = "a header with subgraph, operator and bytes";

  /** A buffer as the file has it. */
  record Row(
      @JsonProperty(required = true) int subgraph,
      @JsonProperty(required = true) int operator,
      @JsonProperty(required = true) long bytes) {}

  private ScratchReader() {}

  /**
   * {@return the buffers of a file}
   *
   * @throws dev.stowage.plan.MalformedFileException if the file violates its format
   */
  public static List<ScratchBuffer> read(String path) throws IOException {
    try (Reader reader = TextInput.open(ExistingFile.of(path))) {
      MappedText text = MappedText.ofCsv(path, reader, KEYS, Set.of(), HEADER);
      if (!text.columns().keySet().containsAll(KEYS.keySet())) {
        throw text.malformed("has the header " + text.header() + ", expected " + HEADER);
      }
      List<ScratchBuffer> buffers = new ArrayList<>();
      text.readRows(
          new TypeReference<Row>() {},
          row -> buffers.add(new ScratchBuffer(row.subgraph(), row.operator(), row.bytes())));
      return buffers;
    }
  }
}
