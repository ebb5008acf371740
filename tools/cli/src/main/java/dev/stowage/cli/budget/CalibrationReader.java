package dev.stowage.cli.budget;

import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.JsonValues;
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
import java.util.Set;

/** A reader of constants of a machine from JSON. */
public final class CalibrationReader {

  private static final Set<String> WORKSPACE_KEYS = Set.of("operator", "types", "tensor_bytes");

  private final String path;
  private final JsonValues values;
  private final Map<String, String> texts = new HashMap<>();
  private final List<OperatorWorkspace> workspaces = new ArrayList<>();

  private CalibrationReader(String path, JsonValues values) {
    this.path = path;
    this.values = values;
  }

  /**
   * {@return the constants of a file}
   *
   * @throws MalformedFileException if the file has no constants
   */
  public static Calibration read(String path) throws IOException {
    try (Reader reader = TextInput.open(ExistingFile.regular(path))) {
      return JsonValues.read(path, reader, values -> new CalibrationReader(path, values).read());
    }
  }

  private Calibration read() throws MalformedFileException {
    values.next();
    values.readObject(
        "the constants of stowage budget --calibrate",
        key -> {
          if (key.equals("workspaces")) {
            values.readList("a list of workspaces", this::readWorkspace);
          } else {
            texts.put(key, values.text(key));
          }
        });
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

  private void readWorkspace() throws MalformedFileException {
    Map<String, String> properties = new HashMap<>();
    List<Long> buffers = new ArrayList<>();
    values.readObject(
        "a workspace",
        key -> {
          if (key.equals("buffer_bytes")) {
            values.readList("a list of bytes", () -> buffers.add(values.number(key)));
          } else if (WORKSPACE_KEYS.contains(key)) {
            properties.put(key, values.text(key));
          } else {
            throw malformed("a workspace has the unknown key '" + key + "'");
          }
        });
    workspaces.add(
        new OperatorWorkspace(
            properties.getOrDefault("operator", ""),
            properties.getOrDefault("types", ""),
            (long) number("tensor_bytes", properties.getOrDefault("tensor_bytes", "0")),
            buffers));
  }

  private String text(String key) throws MalformedFileException {
    String text = texts.get(key);
    if (text == null) {
      throw malformed("the text '" + key + "' is missing");
    }
    return text;
  }

  private double number(String key) throws MalformedFileException {
    String text = texts.get(key);
    if (text == null) {
      throw malformed("the number '" + key + "' is missing");
    }
    return number(key, text);
  }

  private double number(String key, String text) throws MalformedFileException {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw malformed("'" + key + "' is no number");
    }
    if (!(number >= 0)) { // or not a number
      throw malformed("the number '" + key + "' is negative");
    }
    return number;
  }

  private long bytes(String key) throws MalformedFileException {
    return (long) number(key);
  }

  private MalformedFileException malformed(String problem) {
    return new MalformedFileException(
        path, problem + ", expected the constants of stowage budget --calibrate");
  }
}
