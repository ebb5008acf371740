package dev.stowage.onnx.engine;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * A parser of the profile that ONNX Runtime writes: a JSON array of trace events.
 *
 * <p>The memory of the parser does not depend on the length of the file.
 */
final class ProfileEvents {

  private final String source;
  private final JsonParser json;
  private long eventCount;

  /**
   * An event.
   *
   * @param values the texts and numbers of the event and of its arguments
   */
  record Event(Map<String, String> values) {

    /** {@return true if an operator ended} */
    boolean isOperator() {
      return text("cat").equals("Node");
    }

    /** {@return a text; empty if the event has none} */
    String text(String key) {
      return values.getOrDefault(key, "");
    }

    /**
     * {@return a number; 0 if the event has none}
     *
     * @throws NumberFormatException if it is not a whole number of 64 bits
     */
    long number(String key) {
      return Long.parseLong(values.getOrDefault(key, "0"));
    }
  }

  private ProfileEvents(String source, JsonParser json) {
    this.source = source;
    this.json = json;
  }

  /**
   * Passes the events of a profile to a receiver, in the order of the file.
   *
   * @param source the name of the file in messages
   * @param profile the file, which this method does not close
   * @throws MalformedFileException if the file is not a profile, or is cut short
   * @throws IOException if the file cannot be read
   */
  static void read(String source, Reader profile, Consumer<Event> receiver)
      throws IOException {
    JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), profile);
    ProfileEvents events = new ProfileEvents(source, json);
    try {
      events.read(receiver);
    } catch (JacksonIOException e) {
      throw e.getCause();
    } catch (JacksonException e) {
      throw events.malformed("is not JSON: " + e.getOriginalMessage());
    } catch (NumberFormatException e) {
      throw events.malformed(
          "has a number that is not a whole number of 64 bits: "
              + MalformedFileException.excerpt(String.valueOf(e.getMessage())));
    }
  }

  private void read(Consumer<Event> receiver) throws MalformedFileException {
    expect(json.nextToken() == JsonToken.START_ARRAY, "is not a list of events");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      eventCount++;
      expect(json.currentToken() == JsonToken.START_OBJECT, "is not an object");
      Event event = new Event(new HashMap<>());
      readProperties(event);
      receiver.accept(event);
    }
  }

  /** Reads the properties of an event or of its arguments. */
  private void readProperties(Event event) throws MalformedFileException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      JsonToken value = json.nextToken();
      if (key.equals("args")) {
        expect(value == JsonToken.START_OBJECT, "has arguments that are not an object");
        readProperties(event);
      } else if (value.isScalarValue()) {
        event.values.put(key, json.getString());
      } else {
        json.skipChildren();
      }
    }
  }

  private void expect(boolean isMet, String problem) throws MalformedFileException {
    if (!isMet) {
      throw malformed(problem);
    }
  }

  private MalformedFileException malformed(String problem) {
    String expected = problem + ", expected a profile of ONNX Runtime";
    return eventCount == 0
        ? new MalformedFileException(source, expected)
        : new MalformedFileException(source, "event " + eventCount, expected);
  }
}
