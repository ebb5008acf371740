package dev.stowage.cli.text;

import java.lang.module.ModuleDescriptor;
import java.util.Optional;

/** The version of Stowage, from its module. */
public final class ProductVersion {

  private ProductVersion() {}

  /** {@return the version; empty if the classes are not packaged} */
  public static Optional<String> find() {
    return Optional.ofNullable(ProductVersion.class.getModule().getDescriptor())
        .flatMap(ModuleDescriptor::version)
        .map(ModuleDescriptor.Version::toString);
  }
}
