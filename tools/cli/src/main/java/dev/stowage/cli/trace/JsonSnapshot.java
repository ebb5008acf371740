package dev.stowage.cli.trace;

import dev.stowage.cli.input.MappedText;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.CheckedEvents;
import dev.stowage.trace.format.PytorchSnapshot;
import dev.stowage.trace.format.TraceContent;
import dev.stowage.trace.format.TraceFormat;
import dev.stowage.trace.format.TraceSummary;
import dev.stowage.trace.pytorch.SnapshotBuilder;
import java.io.EOFException;
import java.io.IOException;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** A snapshot of PyTorch as JSON, written by {@code json.dump}. Tuples are lists. */
final class JsonSnapshot implements TraceFormat {

  private static final Pattern START =
      Pattern.compile(
          "\\s*\\{\\s*\"(segments|device_traces|allocator_settings|external_annotations)\".*",
          Pattern.DOTALL);

  private final JsonFactory factory = JsonFactory.builder().build();

  @Override
  public String name() {
    return AllocatorKind.pytorch.name();
  }

  @Override
  public String description() {
    return "PyTorch (a snapshot as JSON)";
  }

  @Override
  public boolean matches(String head) {
    return START.matcher(head).matches();
  }

  @Override
  public TraceSummary read(TraceContent content, CheckedEvents events) throws IOException {
    SnapshotBuilder snapshot = new SnapshotBuilder();
    String place = "line 1, column 1";
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), content.bytes())) {
      try {
        parser.nextToken();
        readValue(parser, snapshot);
        if (parser.nextToken() != null) {
          throw malformed(
              content, place(parser), "there is text after the value, expected one JSON value");
        }
      } catch (JacksonException e) {
        place = place(parser);
        throw e;
      }
    } catch (JacksonIOException e) {
      IOException cause = e.getCause();
      throw cause instanceof EOFException || cause instanceof ZipException
          ? malformed(content, place, content.damageMessage())
          : cause;
    } catch (JacksonException e) {
      throw malformed(content, place, MappedText.notJson(e));
    }
    return PytorchSnapshot.pass(content, snapshot.build(content.source()), events);
  }

  private static MalformedFileException malformed(
      TraceContent content, String place, String problem) {
    return new MalformedFileException(content.source(), place, problem);
  }

  /** {@return the place of the current token} */
  private static String place(JsonParser parser) {
    return Text.of(
        "line %d, column %d",
        parser.currentTokenLocation().getLineNr(), parser.currentTokenLocation().getColumnNr());
  }

  /** Reads the value that begins at the current token. */
  private static void readValue(JsonParser parser, SnapshotBuilder snapshot)
      throws MalformedFileException {
    int depth = 0;
    do {
      switch (parser.currentToken()) {
        case START_ARRAY -> snapshot.beginList();
        case START_OBJECT -> snapshot.beginDict();
        case END_ARRAY, END_OBJECT -> snapshot.end();
        case PROPERTY_NAME -> snapshot.key(parser.currentName());
        case VALUE_STRING -> snapshot.value(parser.getString());
        case VALUE_NUMBER_INT ->
            snapshot.value(
                parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                    ? parser.getBigIntegerValue()
                    : (Object) parser.getLongValue());
        case VALUE_NUMBER_FLOAT -> snapshot.value(parser.getDoubleValue());
        case VALUE_TRUE, VALUE_FALSE -> snapshot.value(parser.getBooleanValue());
        default -> snapshot.value(null);
      }
      depth += parser.currentToken().isStructStart() ? 1 : 0;
      depth -= parser.currentToken().isStructEnd() ? 1 : 0;
    } while (depth > 0 && parser.nextToken() != null);
  }
}
