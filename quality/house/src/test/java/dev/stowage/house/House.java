package dev.stowage.house;

import java.util.ArrayList;
import java.util.List;

/**
 * The modules that users get, from the ground up, and what each package of them may use.
 *
 * <pre>
 * 5  tools/pages  tools/cli  tools/fleet
 * 4  models/{tflite, onnx, budget}
 * 3  adapters/{onnxruntime, netty, arrow, micrometer, opentelemetry, jmx}
 * 2  devices/{opencl, cuda}
 * 1  memory      process                     trace
 * 0  plan                                    allocator
 * </pre>
 */
final class House {

  private static final String JSPECIFY = "org/jspecify/annotations";

  private House() {}

  static List<Room> rooms() {
    List<Room> rooms = new ArrayList<>();
    rooms.add(Room.of("plan", 0, House::plan));
    rooms.add(Room.of("allocator", 0, House::allocator));
    rooms.add(Room.of("trace", 1, House::trace));
    rooms.add(Room.of("memory", 1, House::memory));
    rooms.add(Room.of("process", 1, House::process));
    rooms.add(Room.of("devices/opencl", 2, walls -> device(walls, "opencl")));
    rooms.add(Room.of("devices/cuda", 2, House::cuda));
    rooms.add(Room.of("adapters/onnxruntime", 3, House::onnxruntime));
    rooms.add(Room.of("adapters/netty", 3, House::netty));
    rooms.add(Room.of("adapters/arrow", 3, House::arrow));
    rooms.add(Room.of("adapters/micrometer", 3, House::micrometer));
    rooms.add(Room.of("adapters/opentelemetry", 3, House::opentelemetry));
    rooms.add(Room.of("adapters/jmx", 3, House::jmx));
    rooms.add(Room.of("models/tflite", 4, House::tflite));
    rooms.add(Room.of("models/onnx", 4, House::onnx));
    rooms.add(Room.of("models/budget", 4, House::budget));
    rooms.add(Room.of("tools/pages", 5, House::pages));
    rooms.add(Room.of("tools/cli", 5, House::cli));
    rooms.add(Room.of("tools/fleet", 5, House::fleet));
    return rooms;
  }

  // 0: the two ideas. Neither knows the other, and neither touches memory.

  private static Walls plan(Walls walls) {
    return layersOfThePlanner(walls)
        .withOutside("java", JSPECIFY)
        .withReserved("java/lang/foreign")
        .withReserved("java/net")
        .withReserved("java/nio")
        .withClocksIn(
            "dev/stowage/plan/explain/ConflictFinder",
            "dev/stowage/plan/search/ObjectsSearch",
            "dev/stowage/plan/search/OffsetsSearch",
            "dev/stowage/plan/search/OrderSearch")
        .withThreadsIn("dev/stowage/plan/search/offsets/SearchWorkers")
        .withRequired("java.base")
        .withExported(
            "dev.stowage.plan",
            "dev.stowage.plan.banks",
            "dev.stowage.plan.banks.search to [dev.stowage.cli]",
            "dev.stowage.plan.bounds",
            "dev.stowage.plan.check",
            "dev.stowage.plan.explain to [dev.stowage.cli, dev.stowage.pages]",
            "dev.stowage.plan.incremental",
            "dev.stowage.plan.search",
            "dev.stowage.plan.shapes",
            "dev.stowage.plan.strategy",
            "dev.stowage.plan.textures to [dev.stowage.cli]",
            "dev.stowage.plan.violations to [dev.stowage.cli]");
  }

  private static Walls layersOfThePlanner(Walls walls) {
    return walls
        .withPackage("text")
        .withPackage("base", "text")
        .withPackage("", "base", "text")
        .withPackage("time", "", "base", "text")
        .withPackage("conflict", "", "base", "time")
        .withPackage("planner", "", "base", "conflict", "text", "time")
        .withPackage("violations", "", "base", "text")
        .withPackage("check", "", "text", "violations")
        .withPackage("fit", "", "base", "time")
        .withPackage("greedy", "", "base", "conflict", "fit", "planner", "time")
        .withPackage("incremental", "", "base", "text", "time")
        .withPackage("search/offsets", "", "base", "fit", "time")
        .withPackage("search/objects", "", "base", "time")
        .withPackage("search/orders", "incremental")
        .withPackage(
            "search",
            "",
            "base",
            "check",
            "conflict",
            "fit",
            "greedy",
            "incremental",
            "planner",
            "search/objects",
            "search/offsets",
            "search/orders",
            "time")
        .withPackage("shapes", "", "text")
        .withPackage("banks", "", "base", "text")
        .withPackage("banks/search", "", "banks", "base", "check", "fit", "search", "text", "time")
        .withPackage("strategy", "", "banks", "banks/search", "greedy", "planner", "search")
        .withPackage("textures", "", "base", "check", "conflict", "strategy", "text", "time")
        .withPackage("bounds", "", "conflict", "time")
        .withPackage("explain", "", "base", "search", "strategy", "time");
  }

  private static Walls allocator(Walls walls) {
    return walls
        .withPackage("stripe")
        .withPackage("internal", "", "stripe") // for other modules; names only values of the API
        .withPackage("", "internal", "stripe")
        .withPackage("slab", "", "internal", "stripe")
        .withOutside("java", "jdk/jfr", JSPECIFY)
        .withReserved("java/lang/foreign")
        .withReserved("java/net")
        .withReserved("java/nio")
        .withReserved("jdk/jfr", "")
        .withClocksIn("dev/stowage/allocator/Wait")
        .withRequired("java.base", "jdk.jfr")
        .withExported(
            "dev.stowage.allocator",
            "dev.stowage.allocator.internal to"
                + " [dev.stowage.cli, dev.stowage.memory, dev.stowage.onnxruntime, dev.stowage.testkit, dev.stowage.trace]",
            "dev.stowage.allocator.slab to [dev.stowage.memory]");
  }

  // 1: histories, and memory.

  private static Walls trace(Walls walls) {
    return walls
        .withPackage("pytorch")
        .withPackage("format", "pytorch")
        .withPackage("replay", "format", "pytorch")
        .withPackage("export", "format", "pytorch", "replay")
        .withPackage("", "pytorch", "replay")
        .withPackage("explain", "format", "pytorch", "replay")
        .withPackage("tune", "format", "pytorch", "replay")
        .withOutside("java", "dev/stowage/allocator", "dev/stowage/plan", "jdk/jfr", JSPECIFY)
        .withReserved("dev/stowage/allocator/slab")
        .withReserved("java/lang/foreign")
        .withReserved("java/net")
        .withReserved("java/nio", "", "export", "format", "pytorch")
        .withReserved("jdk/jfr", "format")
        .withClocksIn("dev/stowage/trace/TraceRecorder")
        .withThreadsIn("dev/stowage/trace/replay/Confidence")
        .withRequired("java.base", "dev.stowage.allocator", "dev.stowage.plan", "jdk.jfr")
        .withExported(
            "dev.stowage.trace",
            "dev.stowage.trace.explain to [dev.stowage.cli, dev.stowage.pages]",
            "dev.stowage.trace.export to [dev.stowage.cli]",
            "dev.stowage.trace.format to [dev.stowage.cli, dev.stowage.pages]",
            "dev.stowage.trace.pytorch to [dev.stowage.cli, dev.stowage.pages]",
            "dev.stowage.trace.replay to [dev.stowage.cli, dev.stowage.pages]",
            "dev.stowage.trace.tune to [dev.stowage.cli]");
  }

  private static Walls memory(Walls walls) {
    return walls
        .withPackage("lifetime")
        .withPackage("device", "lifetime")
        .withPackage("pool", "device", "lifetime")
        .withPackage("synced", "device", "lifetime", "pool")
        .withPackage("tensor", "device", "lifetime", "pool", "synced")
        .withOutside("java", "com/sun/management", "dev/stowage/allocator", JSPECIFY)
        .withClocksIn("dev/stowage/memory/lifetime/Deadline")
        .withThreadsIn("dev/stowage/memory/lifetime/UnclosedReport")
        .withRequired("java.base", "dev.stowage.allocator", "jdk.management")
        .withExported(
            "dev.stowage.memory.device",
            "dev.stowage.memory.pool",
            "dev.stowage.memory.synced",
            "dev.stowage.memory.tensor");
  }

  private static Walls process(Walls walls) {
    return walls
        .withPackage("")
        .withOutside("java", "javax/management", "com/sun/tools/attach", JSPECIFY)
        .withReserved("java/lang/foreign")
        .withClocksIn("dev/stowage/process/ProcessDump")
        .withThreadsIn("dev/stowage/process/LimitedCall")
        .withRequired("java.base", "java.management", "jdk.attach", "jdk.management")
        .withExported("dev.stowage.process");
  }

  // 2: devices.

  private static Walls device(Walls walls, String name) {
    return walls
        .withPackage("")
        .withOutside("java", "dev/stowage/memory/device", JSPECIFY)
        .withRequired("java.base", "dev.stowage.memory")
        .withExported("dev.stowage." + name);
  }

  private static Walls cuda(Walls walls) {
    return device(walls, "cuda").withThreadsIn("dev/stowage/cuda/StagedCopies");
  }

  // 3: Stowage inside other libraries.

  private static Walls onnxruntime(Walls walls) {
    return walls
        .withPackage("capi")
        .withPackage("", "capi")
        .withOutside(
            "java",
            "dev/stowage/allocator",
            "dev/stowage/memory/device",
            "ai/onnxruntime",
            JSPECIFY)
        .withReserved("ai/onnxruntime", "")
        .withReserved("java/net")
        .withReserved("java/nio/file", "capi")
        .withRequired("java.base", "dev.stowage.allocator", "dev.stowage.memory")
        .withExported(
            "dev.stowage.onnxruntime", "dev.stowage.onnxruntime.capi to [dev.stowage.onnx]");
  }

  private static Walls netty(Walls walls) {
    return walls
        .withPackage("")
        .withOutside(
            "java",
            "dev/stowage/allocator",
            "dev/stowage/memory/pool",
            "io/netty/buffer",
            "io/netty/util",
            JSPECIFY)
        .withRequired("java.base", "dev.stowage.memory", "io.netty.buffer", "io.netty.common")
        .withExported("dev.stowage.netty");
  }

  private static Walls arrow(Walls walls) {
    return walls
        .withPackage("")
        .withOutside(
            "java",
            "dev/stowage/allocator",
            "dev/stowage/memory/pool",
            "org/apache/arrow/memory",
            JSPECIFY)
        .withRequired("java.base", "dev.stowage.memory", "org.apache.arrow.memory.core")
        .withExported("dev.stowage.arrow");
  }

  private static Walls micrometer(Walls walls) {
    return walls
        .withPackage("")
        .withOutside(
            "java", "dev/stowage/allocator", "dev/stowage/process", "io/micrometer/core", JSPECIFY)
        .withRequired(
            "java.base", "dev.stowage.allocator", "dev.stowage.process", "micrometer.core")
        .withExported("dev.stowage.micrometer");
  }

  private static Walls opentelemetry(Walls walls) {
    return walls
        .withPackage("")
        .withOutside(
            "java",
            "dev/stowage/allocator",
            "dev/stowage/process",
            "io/opentelemetry/api",
            JSPECIFY)
        .withRequired(
            "java.base", "dev.stowage.allocator", "dev.stowage.process", "io.opentelemetry.api")
        .withExported("dev.stowage.opentelemetry");
  }

  private static Walls jmx(Walls walls) {
    return walls
        .withPackage("")
        .withOutside(
            "java",
            "javax/management",
            "dev/stowage/allocator",
            "dev/stowage/process",
            "dev/stowage/trace",
            JSPECIFY)
        .withRequired(
            "java.base",
            "dev.stowage.allocator",
            "dev.stowage.process",
            "dev.stowage.trace",
            "java.management")
        .withExported("dev.stowage.jmx");
  }

  // 4: files of models, and the memory of a service.

  private static Walls tflite(Walls walls) {
    return walls
        .withPackage("model")
        .withPackage("order", "model")
        .withPackage("", "model", "order")
        .withPackage("offline", "model")
        .withPackage("micro", "", "model", "offline", "order")
        .withOutside(
            "java",
            "dev/stowage/plan",
            "com/google/flatbuffers",
            "org/tensorflow/lite/schema",
            JSPECIFY)
        .withReserved("java/net")
        .withRequired(
            "java.base", "dev.stowage.plan", "flatbuffers.java", "tensorflow.lite.metadata")
        .withExported(
            "dev.stowage.tflite",
            "dev.stowage.tflite.micro to [dev.stowage.cli]",
            "dev.stowage.tflite.offline to [dev.stowage.cli]");
  }

  private static Walls onnx(Walls walls) {
    return walls
        .withPackage("graph")
        .withPackage("file", "graph")
        .withPackage("profile", "graph")
        .withPackage("engine", "file", "graph", "profile")
        .withPackage("service", "file")
        .withPackage("", "engine", "file", "graph")
        .withOutside(
            "java",
            "dev/stowage/allocator",
            "dev/stowage/memory/device",
            "dev/stowage/onnxruntime",
            "dev/stowage/plan",
            "ai/onnx/proto",
            "ai/onnxruntime",
            "com/google/protobuf",
            "tools/jackson/core",
            JSPECIFY)
        .withReserved("ai/onnxruntime", "engine", "service")
        .withReserved("dev/stowage/allocator", "service")
        .withReserved("dev/stowage/memory", "engine", "service")
        .withReserved("dev/stowage/onnxruntime", "engine", "service")
        .withReserved("java/io", "", "engine", "file", "profile", "service")
        .withReserved("java/lang/foreign", "engine", "service")
        .withReserved("java/net")
        .withReserved("java/nio/channels", "file", "engine")
        .withReserved("java/nio/file", "", "engine", "file", "service")
        .withReserved("java/util/concurrent", "", "engine", "service")
        .withReserved("tools/jackson", "profile")
        .withClocksIn("dev/stowage/onnx/service/ServiceRequests")
        .withThreadsIn(
            "dev/stowage/onnx/engine/EngineStop",
            "dev/stowage/onnx/engine/ProfileFile",
            "dev/stowage/onnx/service/ServiceProcess",
            "dev/stowage/onnx/service/ServiceRequests")
        .withRequired(
            "java.base",
            "com.google.protobuf",
            "dev.stowage.memory",
            "dev.stowage.onnxruntime",
            "dev.stowage.plan",
            "org.tribuo.util.onnx",
            "tools.jackson.core")
        .withExported(
            "dev.stowage.onnx",
            "dev.stowage.onnx.engine to [dev.stowage.cli]",
            "dev.stowage.onnx.file to [dev.stowage.cli]",
            "dev.stowage.onnx.profile to [dev.stowage.cli]",
            "dev.stowage.onnx.service to [dev.stowage.cli]");
  }

  private static Walls budget(Walls walls) {
    return walls
        .withPackage("")
        .withOutside("java", "dev/stowage/plan", JSPECIFY)
        .withReserved("java/net")
        .withRequired("java.base", "dev.stowage.plan")
        .withExported("dev.stowage.budget");
  }

  // 5: commands.

  /** Data in, one file out: pages know neither commands nor files of models. */
  private static Walls pages(Walls walls) {
    return walls
        .withPackage("text")
        .withPackage("label", "text")
        .withPackage("history")
        .withPackage("", "history", "label", "text")
        .withOutside(
            "java",
            "dev/stowage/plan",
            "dev/stowage/trace",
            JSPECIFY,
            "tools/jackson/core",
            "tools/jackson/databind")
        .withReserved("dev/stowage/trace", "", "history")
        .withReserved("java/lang/foreign")
        .withReserved("java/net")
        .withReserved("java/nio/file", "")
        .withReserved("tools/jackson", "")
        .withRequired(
            "java.base",
            "dev.stowage.plan",
            "dev.stowage.trace",
            "tools.jackson.core",
            "tools.jackson.databind")
        .withExported(
            "dev.stowage.pages to [dev.stowage.cli]",
            "dev.stowage.pages.history to [dev.stowage.cli]",
            "dev.stowage.pages.label to [dev.stowage.cli]",
            "dev.stowage.pages.text to [dev.stowage.cli]");
  }

  private static Walls cli(Walls walls) {
    String root = "dev/stowage/cli";
    return walls
        .withPackage("text")
        .withPackage("console")
        .withPackage("devices")
        .withPackage("failure", "text")
        .withPackage("pasted", "failure", "text")
        .withPackage("input", "text")
        .withPackage("check", "input")
        .withPackage("gate", "input", "text")
        .withPackage("plan", "gate", "input", "text")
        .withPackage("netty", "input", "plan") // also the process with Netty on its class path
        .withPackage("replay", "input", "netty", "text")
        .withPackage("trace", "input", "replay")
        .withPackage("diff", "gate", "input", "plan", "text")
        .withPackage("tune", "failure", "input", "netty", "plan", "replay")
        .withPackage("verify", "input", "plan")
        .withPackage("budget", "gate", "input", "plan", "text")
        .withPackage("banks", "gate", "input", "output", "plan", "text")
        .withPackage("rewrite", "input", "output", "plan", "text")
        .withPackage(
            "output", "budget", "console", "diff", "input", "plan", "replay", "text", "tune")
        .withPackage(
            "report", "banks", "budget", "check", "devices", "diff", "failure", "input", "netty",
            "pasted", "plan", "replay", "rewrite", "text", "tune", "verify")
        .withPackage(
            "conclusion",
            "banks",
            "budget",
            "diff",
            "failure",
            "input",
            "plan",
            "replay",
            "report",
            "text",
            "tune")
        .withPackage(
            "run", "budget", "console", "diff", "failure", "gate", "input", "netty", "output",
            "plan", "replay", "report", "text", "trace", "verify")
        .withPackage(
            "option", "banks", "budget", "console", "gate", "input", "netty", "output", "plan",
            "replay", "report", "run", "text", "trace")
        .withPackage(
            "command",
            "banks",
            "budget",
            "check",
            "conclusion",
            "console",
            "devices",
            "diff",
            "failure",
            "gate",
            "input",
            "netty",
            "option",
            "output",
            "pasted",
            "plan",
            "replay",
            "report",
            "rewrite",
            "run",
            "text",
            "trace",
            "tune",
            "verify")
        .withPackage("", "command", "console", "option", "plan", "run", "text")
        .withOutside(
            "java",
            "com/fasterxml/jackson/annotation",
            "dev/stowage/allocator",
            "dev/stowage/budget",
            "dev/stowage/cuda",
            "dev/stowage/memory/device",
            "dev/stowage/onnx",
            "dev/stowage/opencl",
            "dev/stowage/pages",
            "dev/stowage/plan",
            "dev/stowage/process",
            "dev/stowage/tflite",
            "dev/stowage/trace",
            "io/netty/buffer",
            "io/netty/util",
            "jdk/jfr",
            "me/tongfei/progressbar",
            JSPECIFY,
            "picocli",
            "tools/jackson/core",
            "tools/jackson/databind",
            "tools/jackson/dataformat/csv")
        .withReserved("com/fasterxml/jackson/annotation", "gate", "input")
        .withReserved("dev/stowage/cuda", "devices")
        .withReserved("dev/stowage/memory", "devices")
        .withReserved("dev/stowage/opencl", "devices")
        .withReserved("dev/stowage/tflite", "input", "option", "rewrite")
        .withReserved("io/netty", "netty")
        .withReserved("java/lang/foreign")
        .withReserved("java/net", "netty")
        .withReserved("jdk/jfr", "netty")
        .withReserved("me/tongfei/progressbar", "run")
        .withReserved("tools/jackson/databind", "gate", "input")
        .withReserved("tools/jackson/dataformat/csv", "input")
        .withReserved("picocli", "", "command", "console", "option", "run")
        .withClocksIn(
            root + "/run/InputRun",
            root + "/command/VerifyCommand",
            root + "/command/WhoCommand",
            root + "/Signals",
            root + "/plan/TimedResult",
            root + "/replay/ReplayRunner",
            root + "/tune/TuningRunner")
        .withThreadsIn(
            root + "/Signals",
            root + "/run/TerminalProgress",
            root + "/budget/MeasuredProcess",
            root + "/netty/BufferReplay",
            root + "/plan/Interruption",
            root + "/tune/TuningRunner")
        .withOpened(
            "dev.stowage.cli to [info.picocli]",
            "dev.stowage.cli.command to [info.picocli]",
            "dev.stowage.cli.console to [info.picocli]",
            "dev.stowage.cli.gate to [tools.jackson.databind]",
            "dev.stowage.cli.input to [tools.jackson.databind]",
            "dev.stowage.cli.option to [info.picocli]",
            "dev.stowage.cli.run to [info.picocli]")
        .withRequired(
            "java.base",
            "com.fasterxml.jackson.annotation",
            "dev.stowage.allocator",
            "dev.stowage.budget",
            "dev.stowage.cuda",
            "dev.stowage.memory",
            "dev.stowage.onnx",
            "dev.stowage.opencl",
            "dev.stowage.pages",
            "dev.stowage.plan",
            "dev.stowage.process",
            "dev.stowage.tflite",
            "dev.stowage.trace",
            "info.picocli",
            "jdk.jfr",
            "jdk.unsupported",
            "me.tongfei.progressbar",
            "tools.jackson.core",
            "tools.jackson.databind",
            "tools.jackson.dataformat.csv");
  }

  private static Walls fleet(Walls walls) {
    return walls
        .withoutDescriptor()
        .withPackage("", "job")
        .withPackage("host")
        .withPackage("job")
        .withOutside("java", "org/apache/flink", JSPECIFY, "picocli", "tools/jackson/core")
        .withReserved("org/apache/flink", "job")
        .withReserved("picocli", "")
        .withReserved("tools/jackson/core", "job")
        .withThreadsIn("dev/stowage/fleet/Sweep");
  }
}
