package dev.stowage.onnx.profile;

import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
public final class ProfileEvents {

  private final String source;
  private final JsonParser json;
  private long eventCount;

  /**
   * An event.
   *
   * @param values the texts and numbers of the event and of its arguments
   * @param inputs the inputs of an operator, without absent inputs, values other than tensors, and
   *     weights that the kernel has packed
   * @param outputs the outputs of an operator that are tensors
   */
  public record Event(
      Map<String, String> values, List<ProfiledTensor> inputs, List<ProfiledTensor> outputs) {

    /** {@return true if an operator ended} */
    public boolean isOperator() {
      return text("cat").equals("Node");
    }

    /** {@return a text; empty if the event has none} */
    public String text(String key) {
      return values.getOrDefault(key, "");
    }

    /**
     * {@return a number; 0 if the event has none}
     *
     * @throws NumberFormatException if it is not a whole number of 64 bits
     */
    public long number(String key) {
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
  public static void read(String source, Reader profile, Consumer<Event> receiver)
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
      Event event = new Event(new HashMap<>(), new ArrayList<>(), new ArrayList<>());
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
      } else if (key.equals("input_type_shape")) {
        readTensors(event.inputs);
      } else if (key.equals("output_type_shape")) {
        readTensors(event.outputs);
      } else if (value.isScalarValue()) {
        event.values.put(key, json.getString());
      } else {
        json.skipChildren();
      }
    }
  }

  /** Reads tensors as in {@code [{"float":[2,3]},{"int64":[]}]}. */
  private void readTensors(List<ProfiledTensor> tensors) throws MalformedFileException {
    expect(json.currentToken() == JsonToken.START_ARRAY, "has types that are not a list");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken() == JsonToken.START_OBJECT, "has a type that is not an object");
      expect(json.nextToken() == JsonToken.PROPERTY_NAME, "has a type without a name");
      String elements = json.currentName().toUpperCase(Locale.ROOT);
      expect(json.nextToken() == JsonToken.START_ARRAY, "has a shape that is not a list");
      List<Long> shape = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        shape.add(Long.parseLong(json.getString()));
        expect(shape.getLast() >= 0, "has a negative size");
      }
      expect(json.nextToken() == JsonToken.END_OBJECT, "has a tensor of two types");
      tensors.add(new ProfiledTensor(shape, elements));
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
