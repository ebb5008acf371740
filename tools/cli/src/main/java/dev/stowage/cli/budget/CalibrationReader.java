package dev.stowage.cli.budget;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.TextInput;
import dev.stowage.onnxbudget.EngineConstants;
import dev.stowage.onnxbudget.memory.CpuClass;
import dev.stowage.onnxbudget.memory.OperatorWorkspace;
import dev.stowage.onnxbudget.memory.WorkspaceCalibration;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** A reader of constants of a machine from JSON. */
public final class CalibrationReader {

  private final String path;
  private final JsonParser parser;
  private final Map<String, String> texts = new HashMap<>();
  private final Map<String, Double> numbers = new HashMap<>();
  private final List<OperatorWorkspace> workspaces = new ArrayList<>();

  private CalibrationReader(String path, JsonParser parser) {
    this.path = path;
    this.parser = parser;
  }

  /**
   * {@return the constants of a file}
   *
   * @param path the file as on the command line
   * @throws MalformedFileException if the file has no constants
   * @throws IOException if it cannot be read
   */
  public static Calibration read(String path) throws IOException {
    String text;
    try (Reader reader = TextInput.open(ExistingFile.regular(path))) {
      text = reader.readAllAsString();
    }
    try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      return new CalibrationReader(path, parser).read();
    } catch (JacksonException e) {
      MalformedFileException malformed =
          new MalformedFileException(path, "is not JSON: " + e.getOriginalMessage());
      malformed.initCause(e);
      throw malformed;
    }
  }

  private Calibration read() throws MalformedFileException {
    expect(parser.nextToken(), JsonToken.START_OBJECT);
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      JsonToken value = parser.nextToken();
      if (key.equals("workspaces")) {
        readWorkspaces(value);
      } else if (value == JsonToken.VALUE_STRING) {
        texts.put(key, parser.getString());
      } else if (value.isNumeric()) {
        numbers.put(key, parser.getDoubleValue());
      } else {
        throw malformed("'" + key + "' is neither a number nor a text");
      }
    }
    return new Calibration(
        new EngineConstants(
            new EngineConstants.Origin(text("machine"), text("engine_version")),
            new EngineConstants.ProcessConstants(
                bytes("engine_bytes"), bytes("first_session_bytes"), bytes("jvm_bytes")),
            new EngineConstants.SessionConstants(
                bytes("session_bytes"), bytes("operator_bytes"), bytes("thread_bytes")),
            new EngineConstants.Allowance(
                bytes("remainder_bytes"), number("remainder_share"), number("run_share"))),
        WorkspaceCalibration.of(workspaces),
        cpu());
  }

  /** {@return the class of the processor; files of earlier versions lack it} */
  private Optional<CpuClass> cpu() throws MalformedFileException {
    Optional<String> name = Optional.ofNullable(texts.get("cpu"));
    Optional<CpuClass> cpu = name.flatMap(CpuClass::of);
    if (name.isPresent() && cpu.isEmpty()) {
      throw malformed("the text 'cpu' is '" + name.get() + "'");
    }
    return cpu;
  }

  private void readWorkspaces(JsonToken first) throws MalformedFileException {
    expect(first, JsonToken.START_ARRAY);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser.currentToken(), JsonToken.START_OBJECT);
      String operator = "";
      String types = "";
      long tensorBytes = 0;
      List<Long> buffers = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String key = parser.currentName();
        JsonToken value = parser.nextToken();
        switch (key) {
          case "operator" -> operator = parser.getString();
          case "types" -> types = parser.getString();
          case "tensor_bytes" -> tensorBytes = parser.getLongValue();
          case "buffer_bytes" -> {
            expect(value, JsonToken.START_ARRAY);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
              buffers.add(parser.getLongValue());
            }
          }
          default -> throw malformed("a workspace has the unknown key '" + key + "'");
        }
      }
      workspaces.add(new OperatorWorkspace(operator, types, tensorBytes, buffers));
    }
  }

  private String text(String key) throws MalformedFileException {
    String text = texts.get(key);
    if (text == null) {
      throw malformed("the text '" + key + "' is missing");
    }
    return text;
  }

  private double number(String key) throws MalformedFileException {
    Double number = numbers.get(key);
    if (number == null) {
      throw malformed("the number '" + key + "' is missing");
    }
    if (number < 0) {
      throw malformed("the number '" + key + "' is negative");
    }
    return number;
  }

  private long bytes(String key) throws MalformedFileException {
    return (long) number(key);
  }

  private void expect(JsonToken found, JsonToken expected) throws MalformedFileException {
    if (found != expected) {
      throw malformed("found " + found + " instead of " + expected);
    }
  }

  private MalformedFileException malformed(String problem) {
    return new MalformedFileException(
        path, problem + ", expected the constants of stowage budget --calibrate");
  }
}
