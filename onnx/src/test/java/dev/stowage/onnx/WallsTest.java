package dev.stowage.onnx;

import static dev.stowage.testing.CompiledClasses.callsInDefaultLocale;
import static dev.stowage.testing.CompiledClasses.mutableStatics;
import static dev.stowage.testing.CompiledClasses.references;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.CompiledClasses;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The dependencies of the packages of this module, read from its compiled classes. */
class WallsTest {

  private static final String ROOT = "dev/stowage/onnx";

  /** The only package that uses the engine. */
  private static final String OF_THE_ENGINE = ROOT + "/engine";

  @Test
  void everyClass_outsideTheEnginesPackage_knowsNoEngine() throws Exception {
    assertThat(classes().stream().flatMap(model -> engine(model).stream())).isEmpty();
  }

  @Test
  void graph_everyClass_knowsNeitherEngineNorFilesNorTheReader() throws Exception {
    List<ClassModel> graph =
        classes().stream().filter(model -> folder(name(model)).equals(ROOT + "/graph")).toList();
    assertThat(graph).hasSizeGreaterThan(10);
    assertThat(graph.stream().flatMap(model -> foreignToGraph(model).stream())).isEmpty();
  }

  @Test
  void everyClass_hasNoMutableStatics() throws Exception {
    assertThat(classes().stream().flatMap(model -> mutableStatics(model).stream())).isEmpty();
  }

  @Test
  void everyClass_formatsInNoDefaultLocale() throws Exception {
    assertThat(classes().stream().flatMap(model -> callsInDefaultLocale(model).stream())).isEmpty();
  }

  @Test
  void moduleDescriptor_requires_noEngineAtRunTime() throws Exception {
    try (InputStream in =
        Files.newInputStream(
            CompiledClasses.folder(OnnxReader.class).resolve("module-info.class"))) {
      assertThat(
              ModuleDescriptor.read(in).requires().stream()
                  .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                  .map(ModuleDescriptor.Requires::name))
          .contains("java.base", "dev.stowage.core", "com.google.protobuf", "org.tribuo.util.onnx")
          .doesNotContain("com.microsoft.onnxruntime");
    }
  }

  /** A class that breaks every rule. */
  @SuppressWarnings({"unused", "NonFinalStaticField"})
  private static final class Intruder {

    private static long calls;

    static ai.onnxruntime.@org.jspecify.annotations.Nullable OrtSession session;

    static Object connect() {
      calls++;
      return OnnxReader.class + Path.of("").toString();
    }
  }

  @Test
  void rules_classThatBreaksThem_nameEveryBreach() throws Exception {
    String file = "WallsTest$Intruder.class";
    try (InputStream in = WallsTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      ClassModel intruder = ClassFile.of().parse(in.readAllBytes());
      String name = ROOT + "/WallsTest$Intruder";
      assertThat(engine(intruder)).containsExactly(name + " -> ai/onnxruntime/OrtSession");
      assertThat(foreignToGraph(intruder))
          .contains(
              name + " -> ai/onnxruntime/OrtSession",
              name + " -> dev/stowage/onnx/OnnxReader",
              name + " -> java/nio/file/Path");
      assertThat(mutableStatics(intruder))
          .containsExactlyInAnyOrder(name + ".calls", name + ".session");
    }
  }

  private static List<String> engine(ClassModel model) {
    return folder(name(model)).equals(OF_THE_ENGINE)
        ? List.of()
        : references(model, name -> !name.startsWith("ai/onnxruntime/"));
  }

  private static List<String> foreignToGraph(ClassModel model) {
    return references(
        model,
        name ->
            folder(name).equals(ROOT + "/graph")
                || name.startsWith("dev/stowage/core/")
                || name.startsWith("ai/onnx/proto/")
                || name.startsWith("com/google/protobuf/")
                || folder(name).equals("org/jspecify/annotations")
                || folder(name).equals("java/nio")
                || folder(name).equals("java/util")
                || name.startsWith("java/util/function/")
                || name.startsWith("java/util/stream/")
                || (folder(name).startsWith("java/lang")
                    && !name.equals("java/lang/Thread")
                    && !name.startsWith("java/lang/foreign/")));
  }

  private static String name(ClassModel model) {
    return model.thisClass().asInternalName();
  }

  private static String folder(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }

  private static List<ClassModel> classes() throws Exception {
    List<ClassModel> classes = CompiledClasses.in(OnnxReader.class, ROOT);
    assertThat(classes).hasSizeGreaterThan(15);
    return classes;
  }
}
