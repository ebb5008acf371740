/** Support for the tests of all modules. */
@NullMarked
package dev.stowage.testing;

import org.jspecify.annotations.NullMarked;
