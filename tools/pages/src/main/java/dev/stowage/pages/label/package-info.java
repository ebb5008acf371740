/** The names of tensors and operators. */
package dev.stowage.pages.label;
