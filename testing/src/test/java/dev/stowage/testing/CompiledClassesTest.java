package dev.stowage.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CompiledClassesTest {

  /** Breaks every rule. */
  @SuppressWarnings({"unused", "NonFinalStaticField", "SystemOut", "StringCaseLocaleUsage"})
  private static final class Intruder {

    private static long calls;

    static Object connect() {
      calls++;
      System.out.printf("%d", calls);
      System.out.printf(Locale.ROOT, "%d", calls);
      String number = "%d".formatted(calls) + String.format("%d", calls);
      String upper = number.toLowerCase(Locale.ROOT) + number.toUpperCase();
      return List.of(upper, String.format(Locale.ROOT, "%d", calls), Seeds.class);
    }
  }

  private static ClassModel intruder() throws Exception {
    String file = "CompiledClassesTest$Intruder.class";
    try (InputStream in = CompiledClassesTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return ClassFile.of().parse(in.readAllBytes());
    }
  }

  @Test
  void callsInDefaultLocale_everyKind_areNamed() throws Exception {
    assertThat(CompiledClasses.callsInDefaultLocale(intruder()))
        .containsExactlyInAnyOrder(
            "dev/stowage/testing/CompiledClassesTest$Intruder -> java/lang/String.format",
            "dev/stowage/testing/CompiledClassesTest$Intruder -> java/lang/String.formatted",
            "dev/stowage/testing/CompiledClassesTest$Intruder -> java/lang/String.toUpperCase",
            "dev/stowage/testing/CompiledClassesTest$Intruder -> java/io/PrintStream.printf");
  }

  @Test
  void references_notAllowed_areNamed() throws Exception {
    assertThat(
            CompiledClasses.references(
                intruder(), name -> !name.startsWith("dev/stowage/testing/S")))
        .containsExactly(
            "dev/stowage/testing/CompiledClassesTest$Intruder -> dev/stowage/testing/Seeds");
  }

  @Test
  void mutableStatics_field_isNamed() throws Exception {
    assertThat(CompiledClasses.mutableStatics(intruder()))
        .containsExactly("dev/stowage/testing/CompiledClassesTest$Intruder.calls");
  }

  @Test
  void in_thisModule_itsClasses() throws Exception {
    assertThat(CompiledClasses.in(Seeds.class, "dev/stowage/testing"))
        .extracting(model -> model.thisClass().asInternalName())
        .contains("dev/stowage/testing/Seeds", "dev/stowage/testing/CompiledClasses");
  }
}
