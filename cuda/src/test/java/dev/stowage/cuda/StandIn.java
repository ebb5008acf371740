package dev.stowage.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The stand-in for the driver's library, {@code src/test/c/libcuda.c}: built once by the C
 * compiler, fresh for every test, which must give everything back.
 *
 * <p>Where there is no C compiler, tests are skipped with a message.
 */
final class StandIn implements BeforeEachCallback, AfterEachCallback {

  static final long TOTAL_BYTES = 1L << 30;

  /** The granularity of its virtual memory. */
  static final long GRANULE_BYTES = 65536;

  static final int ILLEGAL_ADDRESS = 700;
  static final int UNKNOWN = 999;

  /** Kinds of objects that must be freed. */
  enum Kind {
    ALLOCATIONS(0),
    RESERVATIONS(1),
    MAPPINGS(2),
    PHYSICALS(3),
    STREAMS(4),
    EVENTS(5),
    PINNED(6);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  /** Built once for all tests. */
  private static final class Built {

    static final Optional<Path> LIBRARY = build();

    private static Optional<Path> build() {
      // Two processes run tests at the same time, and each one builds.
      String process = Long.toString(ProcessHandle.current().pid());
      Path library = Path.of("target", "stand-in", process, "libcuda.so.1").toAbsolutePath();
      List<String> command =
          new ArrayList<>(
              List.of(
                  "cc -std=c11 -Wall -Wextra -Werror -O1 -shared -fPIC -pthread".split(" ", -1)));
      command.addAll(List.of("-o", library.toString(), "src/test/c/libcuda.c"));
      try {
        Files.createDirectories(library.getParent());
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(compiler.getInputStream().readAllBytes(), UTF_8);
        assertThat(compiler.waitFor()).as(output).isZero();
        return Optional.of(library);
      } catch (IOException _) {
        return Optional.empty(); // there is no cc
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** {@return the path of the library; skips the test if there is none} */
  static String library() {
    Assumptions.assumeTrue(
        Built.LIBRARY.isPresent(), "the stand-in for libcuda needs a C compiler: cc");
    return Built.LIBRARY.orElseThrow().toString();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    reset(2, TOTAL_BYTES);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isEmpty()) {
      for (Kind kind : Kind.values()) {
        assertThat(alive(kind)).as(kind + " that are left").isZero();
      }
      assertThat(contexts(0) + contexts(1)).as("contexts that are left").isZero();
      assertThat(usedBytes(0) + usedBytes(1)).as("bytes that are left").isZero();
    }
  }

  /** Starts afresh. */
  static void reset(int devices, long totalBytes) {
    call("standin_reset", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_LONG), devices, totalBytes);
  }

  /** Lets no device have virtual memory. */
  static void takeVirtualMemory() {
    call("standin_no_virtual_memory", FunctionDescriptor.ofVoid());
  }

  /**
   * Lets a call fail.
   *
   * @param function its name; {@code work} for the copies and fills of streams, when they happen
   * @param call which one, 1 being the next; 0 for none any more
   */
  static void fail(String function, int call, int code) {
    try (Arena arena = Arena.ofConfined()) {
      call(
          "standin_fail",
          FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT),
          arena.allocateFrom(function),
          call,
          code);
    }
  }

  /** {@return the number of live objects} */
  static long alive(Kind kind) {
    return number("standin_alive", FunctionDescriptor.of(JAVA_LONG, JAVA_INT), kind.number);
  }

  /** {@return how often a device's context is retained} */
  static long contexts(int device) {
    return number("standin_contexts", FunctionDescriptor.of(JAVA_INT, JAVA_INT), device);
  }

  /** {@return how much of a device's memory is taken} */
  static long usedBytes(int device) {
    return number("standin_used_bytes", FunctionDescriptor.of(JAVA_LONG, JAVA_INT), device);
  }

  /** {@return whose context this thread has; -1 for none} */
  static long currentDevice() {
    return number("standin_current_device", FunctionDescriptor.of(JAVA_INT));
  }

  /** Gives this thread a device's context; -1 for none. */
  static void setCurrentDevice(int device) {
    call("standin_set_current_device", FunctionDescriptor.ofVoid(JAVA_INT), device);
  }

  private static long number(String function, FunctionDescriptor type, Object... arguments) {
    return ((Number) call(function, type, arguments)).longValue();
  }

  @SuppressWarnings({"restricted", "NullAway"}) // functions of the stand-in; void returns null
  private static Object call(String function, FunctionDescriptor type, Object... arguments) {
    SymbolLookup functions = SymbolLookup.libraryLookup(library(), Arena.global());
    try {
      return Linker.nativeLinker()
          .downcallHandle(functions.findOrThrow(function), type)
          .invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
