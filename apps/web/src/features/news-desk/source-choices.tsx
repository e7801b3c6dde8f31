import { categoryLabel } from '@shinobi/contract/category-labels'
import type { Category } from '@shinobi/contract/categories'
import type { NewsPermission } from '@shinobi/contract/news'
import { NEWS_PERMISSIONS } from '@shinobi/contract/news-labels'
import { OneOf } from '../../ui/choices.tsx'
import { Field, SelectInput } from '../../ui/field.tsx'
import { LineField } from '../../ui/line-field.tsx'
import styles from './source-choices.module.css'
import type { SharedFields, SourceProblems } from './source-fields.ts'

interface SourceChoicesProps {
  fields: SharedFields
  problems: SourceProblems
  categories: readonly Category[]
  /** Which articles the language applies to, where that is not obvious. */
  languageHint?: string
  onChange: (patch: Partial<SharedFields>) => void
}

const PERMISSIONS = Object.entries(NEWS_PERMISSIONS) as [NewsPermission, { label: string; hint: string }][]

/** What a source and a list of them have in common: permission, category, interval and language. */
export const SourceChoices = ({ fields, problems, categories, languageHint = '', onChange }: SourceChoicesProps) => (
  <>
    <OneOf
      legend="配信元の許可"
      name="permission"
      value={fields.permission}
      options={PERMISSIONS.map(([permission, words]) => ({ value: permission, ...words }))}
      onChange={(permission) => onChange({ permission })}
    />
    <Field label="カテゴリ" hint="スレッドを立てる場所。" required error={problems.categoryId}>
      {(field) => (
        <SelectInput
          {...field}
          value={fields.categoryId}
          onChange={(event) => onChange({ categoryId: event.currentTarget.value })}
        >
          {fields.categoryId === '' && <option value="">選んでください</option>}
          {categories.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {categoryLabel(name)}
            </option>
          ))}
        </SelectInput>
      )}
    </Field>
    <div className={styles['pair']}>
      <LineField
        label="確認する間隔（分）"
        hint="配信元に負担をかけないよう、30分以上を勧めます。"
        required
        error={problems.interval}
        inputMode="numeric"
        value={fields.interval}
        onChange={(interval) => onChange({ interval })}
      />
      <LineField
        label="記事の言語"
        hint={`${languageHint}jaなら日本語の記事だけを使います。enなど、ほかの言語の要約には言語モデルが要ります。`}
        required
        error={problems.language}
        autoCapitalize="none"
        value={fields.language}
        onChange={(language) => onChange({ language })}
      />
    </div>
  </>
)
