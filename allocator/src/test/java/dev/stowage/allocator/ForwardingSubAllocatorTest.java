package dev.stowage.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Decorators of sub-allocators forward each method, also those that are added later. */
class ForwardingSubAllocatorTest {

  static Stream<Named<UnaryOperator<SubAllocator>>> decorators() {
    return Stream.of(
        Named.of("forwarding", regions -> new ForwardingSubAllocator(regions) {}),
        Named.of("visited", regions -> new VisitedSubAllocator(regions, new Unmoved())),
        Named.of("tracked", regions -> new Callbacks("gpu").tracking(regions)));
  }

  private static final class Unmoved implements RegionVisitor {

    @Override
    public void added(long address, long bytes) {}

    @Override
    public void removed(long address, long bytes) {}
  }

  @ParameterizedTest
  @MethodSource("decorators")
  void anyMethod_ofADecorator_isForwardedWithItsResult(UnaryOperator<SubAllocator> decorator)
      throws Exception {
    List<Method> methods = List.of(SubAllocator.class.getMethods());
    assertThat(methods).hasSizeGreaterThanOrEqualTo(7);
    for (Method method : methods) {
      checkForwarded(decorator, method, true);
      checkForwarded(decorator, method, false);
    }
  }

  /**
   * Calls a method of a decorator, with distinct arguments.
   *
   * @param isSecond true for the second of two results
   */
  private static void checkForwarded(
      UnaryOperator<SubAllocator> decorator, Method method, boolean isSecond) throws Exception {
    Object[] arguments = new Object[method.getParameterCount()];
    Arrays.setAll(arguments, i -> 256L << i);
    Object result = result(method, isSecond);
    List<String> calls = new ArrayList<>();
    SubAllocator regions =
        (SubAllocator)
            Proxy.newProxyInstance(
                SubAllocator.class.getClassLoader(),
                new Class<?>[] {SubAllocator.class},
                (self, called, passed) -> {
                  calls.add(call(called, passed == null ? new Object[0] : passed));
                  return result;
                });
    assertThat(method.invoke(decorator.apply(regions), arguments)).isEqualTo(result);
    assertThat(calls).containsExactly(call(method, arguments));
  }

  private static String call(Method method, Object[] arguments) {
    return method + " " + Arrays.toString(arguments);
  }

  private static @Nullable Object result(Method method, boolean isSecond) {
    Class<?> type = method.getReturnType();
    if (type == boolean.class) {
      return isSecond;
    }
    if (type == long.class) {
      return isSecond ? 4096L : 8192L;
    }
    if (type == OptionalLong.class) {
      return isSecond ? OptionalLong.of(4096) : OptionalLong.empty();
    }
    assertThat(type).as("%s", method).isEqualTo(void.class);
    return null;
  }
}
