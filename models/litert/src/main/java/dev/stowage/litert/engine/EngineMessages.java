package dev.stowage.litert.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The error messages of TensorFlow Lite, which arrive as calls of an error reporter. */
// The process of this package has the right to make native calls, and TensorFlow Lite calls add()
// by address.
@SuppressWarnings({"restricted", "UnusedMethod", "UnusedVariable"})
final class EngineMessages {

  /** An {@code ErrorReporter}: user data, a format of printf, and a {@code va_list}. */
  private static final FunctionDescriptor TYPE =
      FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS);

  /** The folder of a source file on the machine that built the library, and a dead link. */
  private static final Pattern NOT_THE_REASON =
      Pattern.compile("^/\\S+/(?=\\w+\\.\\w+:\\d+ )| See instructions: \\S+$");

  private static final int MAX_BYTES = 500;

  /** The first messages have the reason; a damaged model may have thousands. */
  private static final int MAX_MESSAGES = 4;

  private final LiteApi api;
  private final List<String> messages = new ArrayList<>();
  private final MemorySegment reporter;
  private final MemorySegment buffer;

  EngineMessages(LiteApi api, Arena arena) {
    this.api = api;
    buffer = arena.allocate(MAX_BYTES);
    reporter = Linker.nativeLinker().upcallStub(add(), TYPE, arena);
  }

  private MethodHandle add() {
    try {
      return MethodHandles.lookup().bind(this, "add", TYPE.toMethodType());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("EngineMessages has no method add", e);
    }
  }

  private void add(MemorySegment userData, MemorySegment format, MemorySegment arguments) {
    if (messages.size() == MAX_MESSAGES) {
      return;
    }
    int _ = api.callInt("vsnprintf", buffer, (long) MAX_BYTES, format, arguments);
    String message = buffer.getString(0).replaceAll("\\s+", " ").strip();
    messages.add(NOT_THE_REASON.matcher(message).replaceAll(""));
  }

  /** {@return the C function that adds a message} */
  MemorySegment reporter() {
    return reporter;
  }

  /** {@return the messages, or another text if there are none} */
  String textOr(String other) {
    return messages.isEmpty() ? other : String.join("; ", messages);
  }
}
