package dev.stowage.onnx.service;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.RunOptions;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionMemory;
import dev.stowage.onnxruntime.capi.LibraryCopies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sessions of a service, with its options. */
final class EngineSessions {

  /*
   * Options have the engine's own names. An option is an entry of the configuration of a session,
   * except for:
   *
   *   arena, memory_pattern   functions of the options of a session
   *   prepacking              short for session.disable_prepacking
   *   shrink                  an option of each run
   *   arena_extend_strategy   of an arena that the environment has, by the C API
   *   allocator               Stowage's allocator, with its limit in bytes, or 0
   *   admit                   the bytes to admit each run with
   */

  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  private final OrtEnvironment environment;
  private final String model;
  private final int threads;
  private final Map<String, String> entries = new LinkedHashMap<>();
  private final Map<String, String> own;
  private final List<OrtSession> sessions = new ArrayList<>();
  private final List<SessionMemory> memories = new ArrayList<>();
  private final Optional<OnnxRuntimeAllocator> allocator;
  private final long admittedBytes;
  private long peakBytes;

  EngineSessions(ServiceScript script) {
    environment = OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    LibraryCopies.delete();
    model = script.model();
    threads = script.load().threads();
    own = new LinkedHashMap<>(script.options());
    for (String name : script.options().keySet()) {
      if (name.contains(".")) {
        entries.put(name, String.valueOf(own.remove(name)));
      }
    }
    if (isOff("prepacking")) {
      entries.put("session.disable_prepacking", "1");
    }
    if (own.containsKey("arena_extend_strategy")) {
      EnvironmentArena.register(own.getOrDefault("arena_extend_strategy", ""));
      entries.put("session.use_env_allocators", "1");
    }
    admittedBytes = Long.parseLong(own.getOrDefault("admit", "0"));
    allocator = Optional.ofNullable(own.get("allocator")).map(Long::valueOf).map(this::register);
  }

  private OnnxRuntimeAllocator register(long limitBytes) {
    BfcOptions options = BfcOptions.expandable();
    return OnnxRuntimeAllocator.register(
        "service", HostMemory.open(), limitBytes == 0 ? options : options.withLimit(limitBytes));
  }

  private boolean isOff(String option) {
    return own.getOrDefault(option, "on").equals("off");
  }

  /** Creates a further session. */
  void add() throws OrtException {
    try (SessionOptions options = new SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      options.setCPUArenaAllocator(!isOff("arena"));
      options.setMemoryPatternOptimization(!isOff("memory_pattern"));
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        options.addConfigEntry(entry.getKey(), entry.getValue());
      }
      if (allocator.isPresent()) {
        allocator.get().configure(options);
      }
      if (admittedBytes > 0) {
        SessionMemory memory =
            allocator.orElseThrow().openSession("session " + sessions.size(), 0, Long.MAX_VALUE);
        memories.add(memory);
        sessions.add(
            memory.load(
                Math.max(1, Files.size(Path.of(model))),
                LONGEST_WAIT,
                () -> environment.createSession(model, options)));
      } else {
        sessions.add(environment.createSession(model, options));
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("cannot load the model: " + model, e);
    }
  }

  /** {@return a session} */
  OrtSession session(int index) {
    return sessions.get(index);
  }

  /** Runs a session once, and closes its results. */
  void run(int index, Map<String, OnnxTensor> inputs) throws OrtException {
    if (memories.isEmpty()) {
      call(index, inputs).close();
      return;
    }
    SessionMemory memory = memories.get(index);
    long keptBytes = memory.bytesInUse();
    memory.clearPeak();
    try (RunPermit _ = memory.admit(admittedBytes, LONGEST_WAIT)) {
      call(index, inputs).close();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    synchronized (this) {
      peakBytes = Math.max(peakBytes, memory.peakBytes() - keptBytes);
    }
  }

  private OrtSession.Result call(int index, Map<String, OnnxTensor> inputs) throws OrtException {
    if (!own.getOrDefault("shrink", "off").equals("on")) {
      return sessions.get(index).run(inputs);
    }
    try (RunOptions options = new RunOptions()) {
      options.addRunConfigEntry("memory.enable_memory_arena_shrinkage", "cpu:0");
      return sessions.get(index).run(inputs, options);
    }
  }

  /** {@return the most bytes of a run in Stowage's allocator since the last call; 0 without it} */
  synchronized long takePeakBytes() {
    long peak = peakBytes;
    peakBytes = 0;
    return peak;
  }

  /** {@return the bytes in use in Stowage's allocator; 0 without it} */
  long allocatedBytes() {
    return allocator.map(each -> each.statistics().bytesInUse()).orElse(0L);
  }
}
