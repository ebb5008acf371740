package dev.stowage.fleet;

import dev.stowage.console.ExitCode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.OptionalInt;

/** A signal that ends a sweep early, and the work that it ends. */
final class SweepInterruption {

  /*
   * sun.misc.Signal is the only class of the JDK that handles a signal without ending the process.
   * javac warns of each use of the class, and the warning cannot be suppressed. Therefore this class
   * uses reflection.
   */

  private static final List<String> NAMES = List.of("INT", "TERM");

  private int signal;
  private Runnable cancel = () -> {};
  private boolean isExpected;

  /** Installs handlers. The first signal cancels the work, and the second one ends the process. */
  void handleSignals() {
    try {
      for (String name : NAMES) {
        handle(name);
      }
    } catch (InvocationTargetException e) {
      // With -Xrs, the JVM does not handle signals.
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("sun.misc.Signal differs from that of this JDK", e);
    }
  }

  private void handle(String name) throws ReflectiveOperationException {
    Class<?> signalType = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object handled = signalType.getConstructor(String.class).newInstance(name);
    int number = (int) signalType.getMethod("getNumber").invoke(handled);
    Object handler =
        Proxy.newProxyInstance(
            SweepInterruption.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> {
              receive(number);
              return null;
            });
    signalType.getMethod("handle", signalType, handlerType).invoke(null, handled, handler);
  }

  private void receive(int number) {
    Runnable work;
    synchronized (this) {
      if (!isExpected || signal != 0) {
        Runtime.getRuntime().halt(ExitCode.interrupted(number));
      }
      signal = number;
      work = cancel;
    }
    work.run();
  }

  /** Declares that the next signal cancels some work. */
  synchronized void expect(Runnable cancelled) {
    isExpected = true;
    cancel = cancelled;
  }

  /** {@return the signal that was received} */
  synchronized OptionalInt signal() {
    return signal == 0 ? OptionalInt.empty() : OptionalInt.of(signal);
  }
}
