package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Upcalls return a code in any case. */
class NativeFunctionsTest {

  /** A function that throws for arguments above 0. */
  static final class Functions {

    void cuFunction(long argument) {
      Result.NOT_READY.unless(argument >= 0);
      if (argument > 0) {
        throw new IllegalArgumentException("argument=" + argument);
      }
    }
  }

  private final FailurePlan failures = new FailurePlan();

  @AutoClose private final NativeFunctions library = new NativeFunctions(failures, new Object());

  @SuppressWarnings("restricted") // the declaration is that of the method
  private static MethodHandle function(NativeFunctions library) {
    library.add(new Functions());
    return Linker.nativeLinker()
        .downcallHandle(
            library.findOrThrow("cuFunction"), FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  }

  @Test
  void call_methodThatThrows_returnsUnknownAndKeepsTheException() throws Throwable {
    assertThat((int) function(library).invokeExact(7L)).isEqualTo(999);
    assertThat(library.mistakes())
        .singleElement()
        .isInstanceOf(IllegalArgumentException.class)
        .extracting(Throwable::getMessage)
        .isEqualTo("argument=7");
  }

  @Test
  void call_methodWithAResult_returnsItsCode() throws Throwable {
    assertThat((int) function(library).invokeExact(0L)).isZero();
    assertThat((int) function(library).invokeExact(-1L)).isEqualTo(600);
    failures.set("cuFunction", 2, 4711);
    assertThat((int) function(library).invokeExact(0L)).isZero();
    assertThat((int) function(library).invokeExact(0L)).isEqualTo(4711);
    assertThat((int) function(library).invokeExact(0L)).isZero();
    assertThat(library.mistakes()).isEmpty();
  }

  @Test
  void call_afterTheEnd_isRejected() {
    NativeFunctions ended = new NativeFunctions(failures, new Object());
    MethodHandle function = function(ended);
    ended.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> {
          int code = (int) function.invokeExact(0L);
          throw new AssertionError("code=" + code);
        })
        .withMessage("Already closed");
  }

  @Test
  void find_otherName_isEmpty() {
    assertThat(library.find("cuOther")).isEmpty();
  }
}
