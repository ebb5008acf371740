package dev.stowage.cli.trace;

import dev.stowage.cli.input.JsonErrors;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.trace.format.CheckedEvents;
import dev.stowage.trace.format.TraceContent;
import java.io.EOFException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** The JSON texts of traces. */
final class JsonContent {

  private final JsonFactory factory = JsonFactory.builder().build();

  /** Reads the tokens of a file. */
  interface Reading {

    void read(JsonParser parser) throws MalformedFileException;
  }

  /**
   * Reads a file that is one JSON value. The reading starts at the first token of the value.
   *
   * @param events the consumer of the events; it gets the problem of a file that ends early
   */
  void read(TraceContent content, CheckedEvents events, Reading reading) throws IOException {
    String place = "line 1, column 1";
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), content.bytes())) {
      try {
        parser.nextToken();
        reading.read(parser);
        if (parser.nextToken() != null) {
          events.endEarly(place(parser), "there is text after the value, expected one JSON value");
        }
      } catch (JacksonException e) {
        place = place(parser);
        throw e;
      }
    } catch (JacksonIOException e) {
      IOException cause = e.getCause();
      if (!(cause instanceof EOFException || cause instanceof ZipException)) {
        throw cause;
      }
      events.endEarly(place, content.damageMessage());
    } catch (JacksonException e) {
      events.endEarly(place, JsonErrors.sentence(e));
    }
  }

  /** {@return the place of the current token} */
  static String place(JsonParser parser) {
    return Text.of(
        "line %d, column %d",
        parser.currentTokenLocation().getLineNr(), parser.currentTokenLocation().getColumnNr());
  }

  /** {@return the current token, a whole number of 64 bits, or empty if it is none} */
  static OptionalLong whole(JsonParser parser) {
    return parser.currentToken() == JsonToken.VALUE_NUMBER_INT
            && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
        ? OptionalLong.of(parser.getLongValue())
        : OptionalLong.empty();
  }
}
