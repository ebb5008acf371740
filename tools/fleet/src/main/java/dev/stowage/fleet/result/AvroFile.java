package dev.stowage.fleet.result;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** Results as a file of Apache Avro, for tools that read columns. */
public final class AvroFile {

  private static final Schema SCHEMA =
      SchemaBuilder.record("ItemResult")
          .namespace("dev.stowage.fleet")
          .fields()
          .requiredString("key")
          .requiredString("input")
          .name("options")
          .type()
          .array()
          .items()
          .stringType()
          .noDefault()
          .requiredDouble("seconds")
          .requiredInt("exit")
          .requiredBoolean("cut")
          .optionalString("error")
          .optionalLong("bytes")
          .optionalLong("before_bytes")
          .optionalLong("bound_bytes")
          .optionalString("choice")
          .requiredLong("failures")
          .requiredString("line")
          .endRecord();

  /** The bytes between blocks, which are random otherwise: equal results are equal files. */
  private static final byte[] SYNC = {
    's', 't', 'o', 'w', 'a', 'g', 'e', '-', 'r', 'e', 's', 'u', 'l', 't', 's', '1'
  };

  private static final int COMPRESSION = 6;

  private AvroFile() {}

  /**
   * Writes a file.
   *
   * @param results the lines of the results
   * @param output the file
   * @throws IOException if a file cannot be read or written
   */
  public static void write(Path results, Path output) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(results);
        OutputStream out = Files.newOutputStream(output);
        DataFileWriter<GenericRecord> writer =
            new DataFileWriter<>(new GenericDatumWriter<>(SCHEMA))) {
      writer.setCodec(CodecFactory.deflateCodec(COMPRESSION));
      writer.create(SCHEMA, out, SYNC);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        writer.append(record(line));
      }
    }
  }

  private static GenericRecord record(String line) {
    ResultRow row = ResultRow.parse(line);
    GenericRecord record = new GenericData.Record(SCHEMA);
    record.put("key", row.item().key());
    record.put("input", row.item().input());
    record.put("options", row.item().options());
    record.put("seconds", row.seconds());
    record.put("exit", row.exitCode());
    record.put("cut", row.isCut());
    record.put("error", row.isFailed() ? row.error() : null);
    record.put("bytes", orNull(row.figures().bytes()));
    record.put("before_bytes", orNull(row.figures().before()));
    record.put("bound_bytes", orNull(row.figures().bound()));
    record.put("choice", row.figures().choice().isEmpty() ? null : row.figures().choice());
    record.put("failures", row.figures().failures());
    record.put("line", line);
    return record;
  }

  private static @Nullable Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
