package dev.stowage.plan.cases;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.provider.Arguments;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Recorded results of the reference planners, and problems with a known optimum. */
public final class ReferenceData {

  private ReferenceData() {}

  /** {@return the lines of a file, as arguments of name and case} */
  public static Stream<Arguments> lines(String fileName) {
    return text(fileName)
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> named(JsonMapper.shared().readTree(line)));
  }

  /** {@return the elements of an array, as arguments of name and case} */
  public static Stream<Arguments> cases(JsonNode array) {
    return elements(array).map(ReferenceData::named);
  }

  /** {@return the elements of an array that have a field, as arguments of name and case} */
  public static Stream<Arguments> casesWith(String field, JsonNode array) {
    return elements(array).filter(node -> node.has(field)).map(ReferenceData::named);
  }

  /** {@return the content of a JSON file} */
  public static JsonNode file(String fileName) {
    return JsonMapper.shared().readTree(text(fileName));
  }

  public static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  public static long[] longs(JsonNode array) {
    return elements(array).mapToLong(JsonNode::longValue).toArray();
  }

  public static int[] ints(JsonNode array) {
    return elements(array).mapToInt(JsonNode::intValue).toArray();
  }

  /** {@return records from arrays of size, first task, last task and, if pinned, offset} */
  public static List<TensorUsageRecord> records(JsonNode array) {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (JsonNode element : array) {
      long[] fields = longs(element);
      TensorUsageRecord record = TensorUsageRecord.of(fields[0], fields[1], fields[2]);
      records.add(fields.length > 3 && fields[3] >= 0 ? record.pinnedAt(fields[3]) : record);
    }
    return records;
  }

  /** {@return textures from arrays of dimensions, flat or nested, first task and last task} */
  public static List<TextureUsageRecord> textures(JsonNode array) {
    List<TextureUsageRecord> records = new ArrayList<>();
    for (JsonNode element : array) {
      long[] fields =
          elements(element)
              .flatMapToLong(part ->
                  part.isArray() ? LongStream.of(longs(part)) : LongStream.of(part.longValue()))
              .toArray();
      int dimensions = fields.length - 2;
      records.add(
          new TextureUsageRecord(
              extent(LongStream.of(fields).limit(dimensions).toArray()),
              fields[dimensions],
              fields[dimensions + 1]));
    }
    return records;
  }

  public static TextureExtent extent(long[] dimensions) {
    return dimensions.length == 2
        ? TextureExtent.of(dimensions[0], dimensions[1])
        : TextureExtent.of(dimensions[0], dimensions[1], dimensions[2]);
  }

  private static Arguments named(JsonNode node) {
    return Arguments.of(node.get("name").stringValue(), node);
  }

  /** {@return the records of a MiniMalloc file: lines of id, first task, end task and bytes} */
  public static List<TensorUsageRecord> miniMallocRecords(String fileName) {
    return text(fileName)
        .lines()
        .skip(1)
        .map(ReferenceData::fields)
        .map(fields -> TensorUsageRecord.of(fields[3], fields[1], fields[2] - 1))
        .toList();
  }

  private static long[] fields(String line) {
    return Pattern.compile(",").splitAsStream(line).mapToLong(Long::parseLong).toArray();
  }

  private static String text(String fileName) {
    String resource = "reference/" + fileName + ".gz";
    try (InputStream file =
        new GZIPInputStream(
            Objects.requireNonNull(ReferenceData.class.getResourceAsStream(resource), resource))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
